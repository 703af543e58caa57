import { PartForm } from '../properties/PartForm';

/** The tabs of the list, each with a part of the records, and the views that it comes with. */
export function TabsPanel() {
  return (
    <>
      <PartForm pointer="/list" keys={['tabs']} />
      <hr />
      <PartForm pointer="/list" keys={['saved']} />
    </>
  );
}
