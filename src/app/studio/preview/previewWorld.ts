import type { Actor } from '../../../engine/access/actor';
import type { Definition } from '../../../engine/definitions/definition';
import type { Registry } from '../../../engine/registry/registry';
import type { Source } from '../../../engine/language/source';
import { isSameJson } from '../../../engine/formats/json';

/** Everything that a preview is rendered from. */
export interface PreviewWorld {
  /** The draft; it replaces the published definition in the registry. */
  readonly definition: Definition;
  /** The draft as it is written, which the server reads with. */
  readonly source: Source;
  /** The part of the draft that decides about records, as text. */
  readonly content: string;
  readonly publishedDefinition: Definition | undefined;
  readonly registry: Registry;
  readonly actor: Actor;
  /** The user or role that the server reads as. */
  readonly viewAs: string;
  /** The company whose records are shown. */
  readonly company: number;
}

/** Whether records of one preview can be shown in another until its own arrive: the same viewer, and no field of another type. */
export function isShowableIn(oldWorld: PreviewWorld, newWorld: PreviewWorld): boolean {
  if (oldWorld.viewAs !== newWorld.viewAs || oldWorld.company !== newWorld.company) return false;
  return Object.values(newWorld.definition.fields).every((field) => {
    const oldField = oldWorld.definition.fields[field.name];
    return (
      !oldField || isSameJson([oldField.type, oldField.to, oldField.multiple], [field.type, field.to, field.multiple])
    );
  });
}
