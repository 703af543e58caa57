import type { Definition, Tone } from '../../../engine/definitions/definition';
import type { RelevanceReason } from '../../../engine/lists/relevance';

/** A choice. */
export interface Choice {
  readonly id: number | string;
  readonly title: string;
  readonly tone?: Tone;
  /** Distinguishes it from choices of the same title. */
  readonly detail?: string;
  /** The state that it is, of a field with transitions. */
  readonly state?: string;
  /** Why it is listed before the others. */
  readonly near?: RelevanceReason;
}

/** The headings of groups of near choices, and of the others. */
export type NearHeadings = Readonly<Record<RelevanceReason | 'others', string>>;

/** Where a field's choices come from. */
export interface ChoiceSource {
  /** Identifies the source in the cache: the same key gives the same choices. */
  readonly key: readonly unknown[];
  /** Loads the first page of choices that match the typed text. */
  readonly load: (text: string, signal?: AbortSignal) => Promise<readonly Choice[]>;
  /** Loads the choices with some ids; without it they are looked up on the first page. */
  readonly find?: (ids: readonly Choice['id'][], signal?: AbortSignal) => Promise<readonly Choice[]>;
  /** Choices whose titles are already known, such as the stored one's. */
  readonly knownChoices?: readonly Choice[];
  /** The resource of the choices, for their chips. */
  readonly target?: Definition;
  /** The data that the choices depend on are still loading. */
  readonly loading?: boolean;
  /** Why nothing can be chosen yet. */
  readonly blocked?: string;
  /** The heading of the list: what the choices are limited to. */
  readonly heading?: string;
  /** The headings of near choices. */
  readonly groups?: NearHeadings;
  /** Called with all chosen choices, and with those just added. */
  readonly onChosen?: (chosen: readonly Choice[], added: readonly Choice[]) => void;
}
