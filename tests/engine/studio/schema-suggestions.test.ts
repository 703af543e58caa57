import { describe, expect, it } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import { joinPointer } from '../../../src/engine/definitions/problems';
import { fieldTypes, registerFieldTypes } from '../../../src/engine/field-types';
import { typeKeys } from '../../../src/engine/language/field-types/type-keys';
import { integer } from '../../../src/engine/language/key';
import { isJsonObject } from '../../../src/engine/formats/json';
import { descriptionAt, suggestionsAt, type KnownNames } from '../../../src/engine/studio/schema-suggestions';
import { fixtureFiles } from '../support/definitions';

const sources = Object.fromEntries(
  fixtureFiles.map(({ text }) => {
    const one = JSON.parse(text) as { name: string; fields: object; parameters?: object };
    return [one.name, one];
  }),
);
const known: KnownNames = {
  resources: Object.keys(sources),
  fieldsOf: (name) => Object.keys({ ...sources[name]?.fields, ...sources[name]?.parameters }),
  relationsOf: (name) =>
    Object.entries((sources[name] as Source | undefined)?.fields ?? {}).flatMap(
      ([field, { type, to, embed = field }]) => (type === 'relation' && to !== undefined ? [{ name: embed, to }] : []),
    ),
  relationsTo: (name) => [`shot-notes.${name}_id`],
  icons: ['tag', 'clock'],
};
const here = (pointer: string, source: unknown = sources.shots) => suggestionsAt(source, pointer, known);
const keys = (pointer: string, source?: unknown) => here(pointer, source).keys.map(({ name }) => name);
const values = (pointer: string, source?: unknown) => here(pointer, source).values.map(({ text }) => text);

describe('the suggestions at a place of a definition', () => {
  it('names keys, with what they are for, whether they are used, and a value to begin with', () => {
    const { keys: found } = here('/fields/milestone');
    const of = (name: string) => found.find((key) => key.name === name);
    expect(of('type')).toMatchObject({ used: true, snippet: '"text"' });
    expect(of('maxLength')).toMatchObject({ used: false, snippet: '1' });
    expect(of('required')).toMatchObject({ snippet: 'true' });
    expect(of('visible')).toMatchObject({ snippet: '{}' });
    expect(of('help')!.description).toContain('under the input');
    expect(
      here('')
        .keys.filter(({ required }) => required)
        .map(({ name }) => name),
    ).toEqual(['name', 'labels', 'fields']);
    expect(keys('/list/columns/0')).toEqual([
      'field',
      'label',
      'visible',
      'fixed',
      'width',
      'priority',
      'secondLine',
      'parts',
    ]);
    expect(keys('/grants')).toEqual(['1', '2', '3', '4', '5', '6']);
    expect(keys('/menu')).toEqual([
      ...['group', 'tabOf', 'key', 'settings', 'switcher', 'count', 'alert', 'icon', 'order'],
    ]);
    expect(keys('/form/tabs/0')).toContain('filter');
    expect(keys('/list/filters')).toEqual(expect.arrayContaining(['milestone', 'created_at', 'user_id']));
    expect(here('/list/filters').keys.find(({ name }) => name === 'ends_on')!.used).toBe(true);
  });

  it('tells which keys a type requires', () => {
    const source = { name: 'x', fields: { a: { type: 'select' }, b: { type: 'duration' } } };
    const needed = (pointer: string) =>
      here(pointer, source)
        .keys.filter(({ required }) => required)
        .map(({ name }) => name);
    expect(needed('/fields/a')).toEqual(['options']);
    expect(needed('/fields/b')).toEqual(['startField', 'endField']);
  });

  it('names the steps of a path, one after the other', () => {
    const shots = sources.shots as Source;
    const written = (text: string) => ({ ...shots, list: { columns: ['name', text], sort: text } });
    const relation = Object.entries(shots.fields).find(([, { type, to }]) => type === 'relation' && to === 'films')!;
    const film = relation[1].embed ?? relation[0];
    const studio = (sources.films as Source).fields.studio_id!.embed ?? 'studio_id';
    expect(values('/list/columns/1', written(''))).toEqual(expect.arrayContaining(['"name"', `"${film}."`]));
    expect(values('/list/columns/1', written(`${film}.`))).toEqual(
      expect.arrayContaining([`"${film}.name"`, `"${film}.${studio}."`]),
    );
    expect(values('/list/columns/1', written(`${film}.${studio}.`))).toContain(`"${film}.${studio}.name"`);
    expect(values('/list/sort', written(`${film}.`))).toContain(`"-${film}.name"`);
    expect(values('/list/columns/1', written('nothing.'))).not.toContain('"nothing.name"');
  });

  it('names values: fixed ones, fields, resources, icons', () => {
    expect(values('/fields/name/width')).toEqual(['"full"', '"half"', '"quarter"']);
    expect(values('/fields/name/required')).toEqual(expect.arrayContaining(['true', 'false', '"form"']));
    expect(values('/list/bulkDelete')).toEqual(['true', 'false']);
    expect(values('/envelope')).toEqual(['"data"', 'null']);
    expect(values('/list/columns/3')).toEqual(expect.arrayContaining(['"milestone"', '"created_at"']));
    expect(values('/list/sort')).toContain('"-ends_on"');
    expect(values('/form/sections/0/fields/6')).toContain('"milestone"');
    expect(values('/rules/0/levels/0')).toEqual(['1', '2', '3', '4', '5', '6']);
    expect(values('/fields/film_id/to')).toContain('"films"');
    expect(values('/fields/worked/endField', sources['shifts'])).toContain('"end"');
    expect(values('/fields/operator_id/embedFields/0')).toContain('"role_id"');
    expect(values('/fields/screenings/source')).toEqual(['"shot-notes.shots_id"']);
    expect(values('/menu/icon')).toEqual(['"tag"', '"clock"']);
    expect(values('/list/actions/2/opens/resource')).toContain('"shifts"');
    expect(values('/grants/4')).toEqual(['"all"', '"read"', '"none"']);
    expect(values('/grants/4/0', { grants: { 4: [] } })).toContain('"list"');
  });

  it('knows conditions: fields and variables on the left, operators, and what they compare with', () => {
    expect(keys('/fields/milestone/visible')).toEqual(
      expect.arrayContaining(['$and', '$or', '$not', 'status_id', '$actor.level']),
    );
    expect(keys('/rules/0/where')).toContain('created_by');
    expect(keys('/fields/operator_id/choices')).toContain('role_id');
    expect(keys('/fields/operator_id/choices')).not.toContain('milestone');
    expect(keys('/fields/is_late/computed/ends_on')).toEqual(
      expect.arrayContaining(['$lt', '$in', '$exists', '$some']),
    );
    expect(values('/fields/is_late/computed/ends_on/$lt')).toEqual(expect.arrayContaining(['"$today"', '"$actor.id"']));
    expect(values('/fields/operator_id/choices/film_id')).toContain('"$form.film_id"');
    expect(values('/fields/is_late/computed/ends_on/$exists')).toEqual(['true', 'false']);
    expect(keys('/list/tabs/0/filter', sources['screenings'])).toEqual(expect.arrayContaining(['status', 'status_id']));
  });

  it('names what a place refers to: fields of rows, of related resources and of automations, requests, row actions and tabs', () => {
    const source = {
      name: 'orders',
      fields: {
        film_id: { type: 'relation', to: 'films' },
        lines: {
          type: 'rows',
          fields: { begin: { type: 'time' }, took: { type: 'duration', startField: 'x', endField: 'y' } },
        },
        total: { type: 'rollup', source: 'shot-notes.film_id', aggregate: 'count', where: {} },
        is_old: { type: 'boolean', computed: { film_id: { $some: {} } } },
      },
      requests: { approve: { label: 'Approve', sets: ['film_id'] } },
      list: {
        kanban: { column: 'film_id', request: 'x', menu: ['edit'] },
        filters: { film_id: { choices: {} } },
        actions: ['approve', { name: 'pack', screen: '/pack' }],
        tabs: [{ name: 'open', label: 'Open', filter: {} }],
        saved: [{ name: 'late', label: 'Late', tab: 'open' }],
      },
      form: { tabs: [{ name: 'notes', label: 'Notes', resource: 'shot-notes', filter: {} }] },
      page: { related: ['notes'] },
      automations: [{ name: 'note', transition: { field: 'x', to: 1 }, steps: [{ create: 'shot-notes', values: {} }] }],
    };
    expect(values('/fields/lines/fields/took/startField', source)).toEqual(['"begin"', '"took"']);
    expect(values('/fields/lines/fields/took/endField', source)).toEqual(['"begin"', '"took"']);
    expect(values('/list/kanban/request', source)).toEqual(['"approve"']);
    expect(values('/list/kanban/menu/0', source)).toEqual(
      ['approve', 'pack', 'edit', 'view', 'copy', 'delete'].map((name) => `"${name}"`),
    );
    expect(values('/list/saved/0/tab', source)).toEqual(['"open"']);
    expect(values('/page/related/0', source)).toEqual(expect.arrayContaining(['"film_id"', '"notes"']));
    expect(values('/automations/0/transition/field', source)).toContain('"film_id"');
    expect(keys('/automations/0/steps/0/values', source)).toContain('shot_id');
    const { automations: _, ...rest } = source;
    const steps = [{ create: 'shot-notes', values: { create: 'films' } }];
    expect(keys('/automations/0/steps/0/values', { ...rest, automations: [{ steps }] })).toContain('shot_id');
    expect(keys('/fields/total/where', source)).toContain('shot_id');
    expect(keys('/fields/total/where', source)).not.toContain('film_id');
    expect(keys('/fields/is_old/computed/film_id/$some', source)).toContain('studio_id');
    expect(keys('/list/filters/film_id/choices', source)).toContain('studio_id');
  });

  it('knows the field types of the product', () => {
    const source = { name: 'films', fields: { stars: { type: 'rating' }, year: { type: 'number' }, title: {} } };
    const needed = () => here('/fields/stars', source).keys.filter(({ required }) => required);
    expect(needed()).toEqual([]);
    const remove = registerFieldTypes({
      rating: {
        type: fieldTypes.number,
        language: typeKeys({
          required: ['stars'],
          keys: {
            stars: integer(),
            max: integer({ help: 'The greatest of them.' }),
            maxLength: integer({ help: 'Letters of a remark.' }),
          },
        }),
      },
    });
    expect(values('/fields/stars/type', source)).toContain('"rating"');
    expect(needed().map(({ name }) => name)).toEqual(['stars']);
    expect(here('/fields/stars/max', source).description).toBe('The greatest of them.');
    expect(here('/fields/year/max', source).description).toBe('The greatest number.');
    expect(here('/fields/stars/maxLength', source).description).toBe('Letters of a remark.');
    expect(here('/fields/title/maxLength', source).description).toContain('Characters at most.');
    remove();
    expect(values('/fields/stars/type', source)).not.toContain('"rating"');
  });

  it('describes every place of every definition, and lists every key there', () => {
    const undescribed: string[] = [];
    const unnamed: string[] = [];
    const open =
      /\/(values|body|filter|default|columns|synonyms|tones|marks|conditions|visible|requests|parameters|fields|headings|key|paths|steps|tools|cascade|\d+)(\/|$)/;
    const visit = (source: unknown, value: unknown, pointer: string) => {
      const { description, keys: found } = here(pointer, source);
      if (description === undefined && !open.test(pointer)) undescribed.push(pointer);
      if (Array.isArray(value)) value.forEach((one, index) => visit(source, one, joinPointer(pointer, index)));
      if (!isJsonObject(value)) return;
      for (const [key, one] of Object.entries(value)) {
        if (!found.some(({ name, used }) => name === key && used) && !open.test(`${pointer}/`))
          unnamed.push(joinPointer(pointer, key));
        visit(source, one, joinPointer(pointer, key));
      }
    };
    for (const source of Object.values(sources)) visit(source, source, '');
    expect(undescribed).toEqual([]);
    expect(unnamed).toEqual([]);
  });

  it('handles invalid places and definitions', () => {
    for (const source of [undefined, null, 3, [], { fields: 3 }, { fields: { a: null } }, { fields: { a: { to: 3 } } }])
      for (const pointer of [
        '',
        '/fields',
        '/fields/a',
        '/fields/a/to',
        '/fields/a/embedFields/0',
        '/x/y',
        '/list/filters',
      ])
        expect(() => here(pointer, source)).not.toThrow();
    expect(descriptionAt(sources.shots, '/nowhere')).toBeUndefined();
    expect(descriptionAt(sources.shots, '/fields/milestone/label')).toContain('The label for users');
  });
});
