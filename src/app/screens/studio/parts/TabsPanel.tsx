import { PartForm } from '../properties/PartForm';

/** The tabs of the list, each with a part of the records, and the views that it comes with. */
export function TabsPanel() {
  return (
    <>
      <PartForm at="/list" keys={['tabs']} />
      <hr />
      <PartForm at="/list" keys={['saved']} />
    </>
  );
}
