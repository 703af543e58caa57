import type { FieldOf } from '../../../engine/definitions/definition';
import type { DisplayFacets } from '../fieldType';
/** Passwords are never shown. */
function Cell() {
  return null;
}

export default { Cell } satisfies DisplayFacets<FieldOf<'password'>>;
