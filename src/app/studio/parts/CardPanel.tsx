import { PartForm } from '../properties/PartForm';

/** Properties of the cards; phones always show cards. */
export function CardPanel() {
  return <PartForm pointer="/list/card" />;
}
