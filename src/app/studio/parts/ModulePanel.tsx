import { PartForm } from '../properties/PartForm';

/** Properties of the module: names, menu, ownership of records, history, comments and archive. */
export function ModulePanel() {
  return (
    <>
      <PartForm pointer="" keys={['labels', 'description', 'scope', 'recordTitle', 'choices']} />
      <hr />
      <PartForm pointer="" keys={['menu']} />
      <hr />
      <PartForm pointer="" keys={['chip']} />
      <hr />
      <PartForm pointer="" keys={['history', 'comments', 'timer', 'archive']} />
    </>
  );
}
