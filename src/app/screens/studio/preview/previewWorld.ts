import type { Actor } from '../../../../engine/access/actor';
import type { Definition } from '../../../../engine/definitions/definition';
import type { Registry } from '../../../../engine/definitions/registry';
import type { Source } from '../../../../engine/definitions/source';
import { isSameJson } from '../../../../engine/studio/json';

/** Everything that a preview is rendered from. */
export interface PreviewWorld {
  /** The draft; it replaces the published definition in the registry. */
  readonly definition: Definition;
  /** The draft as it is written, which the server reads with. */
  readonly source: Source;
  /** The part of the draft that decides about records, as text. */
  readonly content: string;
  readonly published: Definition | undefined;
  readonly registry: Registry;
  readonly actor: Actor;
  /** The user or role that the server reads as. */
  readonly as: string;
  /** The company whose records are shown. */
  readonly company: number;
}

/** Whether records of one preview can be shown in another until its own arrive: the same viewer, and no field of another type. */
export function isShowableIn(before: PreviewWorld, after: PreviewWorld): boolean {
  if (before.as !== after.as || before.company !== after.company) return false;
  return Object.values(after.definition.fields).every((field) => {
    const former = before.definition.fields[field.name];
    return !former || isSameJson([former.type, former.to, former.multiple], [field.type, field.to, field.multiple]);
  });
}
