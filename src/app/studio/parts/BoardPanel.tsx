import { PartForm } from '../properties/PartForm';

/** The list as a board. */
export function BoardPanel() {
  return <PartForm pointer="/list" keys={['kanban']} />;
}
