import type { Definition, Tone } from '../../engine/definitions/definition';
import type { Near } from '../../engine/lists/nearness';

/** Something that may be chosen. */
export interface Choice {
  readonly id: number | string;
  readonly title: string;
  readonly tone?: Tone;
  /** Tells it from others of its title. */
  readonly detail?: string;
  /** Why it is offered before the others. */
  readonly near?: Near;
}

/** What stands above the choices that are near for a reason, and above the others. */
export type NearWords = Readonly<Record<Near | 'others', string>>;

/** Where a field's choices come from. */
export interface ChoiceSource {
  /** Names the source for the cache: the same key means the same answers. */
  readonly key: readonly unknown[];
  /** Finds the choices for what was typed; the first page of them. */
  readonly load: (text: string, signal?: AbortSignal) => Promise<readonly Choice[]>;
  /** Finds those of some ids that may be chosen; without it they are looked for on the first page. */
  readonly find?: (ids: readonly Choice['id'][], signal?: AbortSignal) => Promise<readonly Choice[]>;
  /** Choices whose titles are known already, such as the stored one's. */
  readonly known?: readonly Choice[];
  /** The resource of the choices, for their chips. */
  readonly target?: Definition;
  /** Why there is nothing to choose from yet. */
  readonly blocked?: string;
  /** Stands above the choices: what they are narrowed to. */
  readonly heading?: string;
  /** The headings of choices of which some are near. */
  readonly groups?: NearWords;
  /** Told of all that are chosen, titles included, and of those that just were. */
  readonly onChosen?: (chosen: readonly Choice[], added: readonly Choice[]) => void;
}
