import type { Definition, Field } from '../../engine/definitions/definition';
import type { Choice, ChoiceSource, NearWords } from './choice';

/** "Choose a country": what an empty choice says. */
export function choicePlaceholder(field: Field, { target }: ChoiceSource): string {
  if (field.placeholder) return field.placeholder;
  if (field.type === 'relations') return `Choose ${(target?.labels.many ?? field.label).toLowerCase()}`;
  return `Choose ${withArticle(target?.labels.one ?? field.label)}`;
}

/** "a country", "an action". */
export function withArticle(label: string): string {
  const noun = label.toLowerCase();
  return `${/^([aeio]|u(?!s))/.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** Whether the choices carry a mark before their titles. */
export function hasMark({ target }: ChoiceSource): boolean {
  return target?.chip !== undefined && target.chip.shape !== 'dot';
}

/** What stands in place of choices. */
export function emptyText(search: string, error: Error | null): string {
  if (error) return error.message;
  return search.trim() === '' ? 'No options' : `Nothing matches “${search.trim()}”`;
}

/** The headings of choices: `shares` are the fields by which some are of the same place as the record at hand. */
export function nearWords(target: Definition, shares: readonly Field[] = []): NearWords {
  const many = target.labels.many.toLowerCase();
  const isPeople = target.name === target.fields.created_by?.to;
  return {
    shared: `Same ${[...new Set(shares.map(({ label }) => label.toLowerCase()))].join(' or ')}`,
    yours: isPeople ? 'You' : `Your ${many}`,
    recent: 'Recent',
    others: `Other ${many}`,
  };
}

/** A choice with what tells it from others of its title. */
export function wholeTitle({ title, detail }: Choice): string {
  return detail ? `${title} · ${detail}` : title;
}

/** The heading of each choice, where some of them are near; none while something is looked for. */
export function groupOf({ groups }: ChoiceSource, choices: readonly Choice[], search: string) {
  if (!groups || search.trim() !== '' || !choices.some(({ near }) => near)) return undefined;
  return ({ near }: Choice) => groups[near ?? 'others'];
}

/** Whether others of some choices have the title of one, whatever its case of letters. */
export function isAlike({ id, title }: Choice, all: readonly Choice[]): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/\s/g, '');
  return all.some((other) => other.id !== id && plain(other.title) === plain(title));
}
