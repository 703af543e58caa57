import fc from 'fast-check';
import type { Source } from '../../../../src/engine/language/source';

/** A change of a definition in place, and the room that it stays within. */
export interface Edit {
  readonly room: string;
  readonly edit: (copy: Source) => void;
}

const nth = <T>(list: readonly T[], index: number): T => list[index % list.length]!;

/** Some edits as people make them: deterministic, and each applicable to every definition. */
export const edits: fc.Arbitrary<Edit> = fc
  .tuple(fc.nat({ max: 12 }), fc.nat({ max: 30 }), fc.constantFrom('One', 'Two', 'Three'))
  .map(([kind, index, word]): Edit => {
    switch (kind) {
      case 0:
        return {
          room: `new field`,
          edit: (copy) => void (copy.fields[`new_${index % 3}`] = { type: 'text', label: word }),
        };
      case 1:
        return {
          room: 'field',
          edit: (copy) => {
            if (index < keys(copy).length) copy.fields[keys(copy)[index]!]!.label = word;
          },
        };
      case 2:
        return {
          room: 'field',
          edit: (copy) => {
            if (index < keys(copy).length) copy.fields[keys(copy)[index]!]!.help = word;
          },
        };
      case 3:
        return {
          room: 'field',
          edit: (copy) => {
            if (keys(copy).length > 1) delete copy.fields[nth(keys(copy), index)];
          },
        };
      case 4:
        return {
          room: 'field',
          edit: (copy) => void (copy.fields = Object.fromEntries(Object.entries(copy.fields).reverse())),
        };
      case 5:
        return {
          room: 'columns',
          edit: (copy) =>
            void (copy.list = {
              ...copy.list,
              columns: ['id', `${nth(['created_by', 'updated_at', 'name'], index)}*`],
            }),
        };
      case 6:
        return { room: 'columns', edit: (copy) => void copy.list?.columns?.splice(index % 5, 1) };
      case 7:
        return {
          room: 'tabs',
          edit: (copy) => {
            if (copy.list?.tabs) copy.list.tabs[0]!.label = word;
            else copy.list = { ...copy.list, tabs: [{ name: 'a', label: word, filter: {} }] };
          },
        };
      case 8:
        return { room: 'titles', edit: (copy) => void (copy.titles = { ...copy.titles, create: word }) };
      case 9:
        return { room: 'labels', edit: (copy) => void (copy.labels = { ...copy.labels, many: word }) };
      case 10:
        return {
          room: 'rules',
          edit: (copy) => void (copy.rules = [...(copy.rules ?? []), { levels: [4], action: 'edit', reason: word }]),
        };
      case 11:
        return { room: 'rules', edit: (copy) => void copy.rules?.shift() };
      default:
        return {
          room: 'sections',
          edit: (copy) => {
            const section = copy.form?.sections?.[0];
            if (section) section.description = word;
          },
        };
    }
  });

function keys(copy: Source): string[] {
  return Object.keys(copy.fields).filter((name) => !name.startsWith('new_'));
}
