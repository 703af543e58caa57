import type { Definition, Field } from '../../../engine/definitions/definition';
import { isRelations } from '../../../engine/field-types/relations';
import type { Choice, ChoiceSource, NearHeadings } from './choice';

/** The placeholder of an empty choice: "Choose a country". */
export function choicePlaceholder(field: Field, { target }: ChoiceSource): string {
  if (field.placeholder) return field.placeholder;
  if (isRelations(field)) return `Choose ${(target?.labels.many ?? field.label).toLowerCase()}`;
  return `Choose ${withArticle(target?.labels.one ?? field.label)}`;
}

/** "a country", "an action". */
export function withArticle(label: string): string {
  const noun = label.toLowerCase();
  return `${/^([aeio]|u(?!s))/.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** Whether choices have a mark before their titles. */
export function hasMark({ target }: ChoiceSource): boolean {
  return target?.chip !== undefined && target.chip.shape !== 'dot';
}

/** The text of an empty list of choices. */
export function emptyText(search: string, error: Error | null): string {
  if (error) return error.message;
  return search.trim() === '' ? 'No options' : `Nothing matches “${search.trim()}”`;
}

/** The headings of near choices. `shares` are the fields that some of them have in common with the current record. */
export function nearHeadings(target: Definition, shares: readonly Field[] = []): NearHeadings {
  const plural = target.labels.many.toLowerCase();
  const isPeople = target.name === target.fields.created_by?.to;
  return {
    shared: `Same ${[...new Set(shares.map(({ label }) => label.toLowerCase()))].join(' or ')}`,
    yours: isPeople ? 'You' : `Your ${plural}`,
    recent: 'Recent',
    others: `Other ${plural}`,
  };
}

/** A title with its distinguishing detail. */
export function titleWithDetail({ title, detail }: Choice): string {
  return detail ? `${title} · ${detail}` : title;
}

/** Groups choices by nearness; undefined if none is near or a search is active. */
export function groupOf({ groups }: ChoiceSource, choices: readonly Choice[], search: string) {
  if (!groups || search.trim() !== '' || !choices.some(({ near: relevance }) => relevance)) return undefined;
  return ({ near: relevance }: Choice) => groups[relevance ?? 'others'];
}

/** Whether another choice has the same title, ignoring case and spaces. */
export function sharesTitle({ id, title }: Choice, choices: readonly Choice[]): boolean {
  const normalise = (text: string) => text.toLowerCase().replace(/\s/g, '');
  return choices.some((candidate) => candidate.id !== id && normalise(candidate.title) === normalise(title));
}
