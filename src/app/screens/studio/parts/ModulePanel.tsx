import { PartForm } from '../properties/PartForm';

/** Properties of the module: names, menu, ownership of records, history, comments and archive. */
export function ModulePanel() {
  return (
    <>
      <PartForm at="" keys={['labels', 'description', 'scope', 'recordTitle', 'choices']} />
      <hr />
      <PartForm at="" keys={['menu']} />
      <hr />
      <PartForm at="" keys={['chip']} />
      <hr />
      <PartForm at="" keys={['history', 'comments', 'timer', 'archive']} />
    </>
  );
}
