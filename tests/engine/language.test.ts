import { describe, expect, test } from 'vitest';
import type { Source } from '../../src/engine/language/source';
import { definition, readSources, source } from './support/definitions';

/** A board of things with comments, requests, tabs, links and times: everything at once, and right. */
const things = source({
  scope: 'company',
  fields: {
    name: { required: true },
    region_id: { type: 'relation', to: 'regions', embed: 'state' },
    person_id: { type: 'relation', to: 'users' },
    day: { type: 'date', maxDate: '$today' },
    until: { type: 'datetime' },
    photo: { type: 'image' },
    begin: { type: 'time', dateField: 'day' },
    end: { type: 'time', dateField: 'day', laterThan: 'begin' },
    took: { type: 'duration', startField: 'begin', endField: 'end' },
    link: { type: 'shareLink', path: 'thing', sharedFields: ['name', 'region_id', 'day', 'took'] },
    words: { type: 'text', secret: true },
    original_id: { type: 'relation', to: 'things', onDelete: 'clear' },
    late: { type: 'boolean', computed: { day: { $lt: '$today' } } },
    notes: { type: 'inverse', source: 'notes.thing_id' },
  },
  parameters: { state: { kind: 'named', conditions: { open: { region_id: { $ne: 5 } }, shut: { region_id: 5 } } } },
  list: {
    views: ['list', 'kanban', 'calendar', 'timeline', 'gallery'],
    calendar: { start: 'day', end: 'until', title: '{name}', colour: 'region_id', person: 'person_id' },
    timeline: { start: 'day', end: 'until', group: 'person_id', done: { late: true } },
    gallery: { image: 'photo', fields: ['day', 'state.name'], menu: ['edit', 'note'] },
    actions: [
      'edit',
      'say',
      'copy',
      { name: 'note', opens: { resource: 'notes', values: { thing_id: '$record.id' } } },
    ],
    tabs: [
      { name: 'open', label: 'Open ({total})', filter: { state: 'open' } },
      { name: 'shut', label: 'Shut ({total})', filter: { state: 'shut' }, export: 'shut.xlsx' },
    ],
    kanban: {
      column: 'region_id',
      request: 'say',
      field: 'text',
      lines: ['name', { field: 'state.name' }],
      person: 'person_id',
      due: 'day',
      overdue: 'late',
      counts: ['notes'],
      menu: ['edit', 'note'],
    },
  },
  form: {
    popup: { width: '90%' },
    tabs: [{ name: 'notes', label: 'Notes', resource: 'notes', filter: { thing_id: '$record.id' } }],
  },
  requests: {
    say: {
      label: 'Comments',
      icon: 'comment',
      path: 'thing/{id}',
      sets: ['region_id'],
      adds: { resource: 'notes', relation: 'thing_id', fields: ['text'] },
      required: ['region_id', 'text'],
      ignoredNames: ['role_id'],
      visible: { region_id: { '$actor.level': { $ne: 6 } } },
      list: { resource: 'notes', filter: { thing_id: '$record.id' } },
    },
  },
  copy: { originalField: 'original_id' },
});

const states = source({ name: 'regions', labels: { one: 'State', many: 'States' } });
const notes = source({
  name: 'notes',
  labels: { one: 'Note', many: 'Notes' },
  scope: 'company',
  fields: { text: {}, thing_id: { type: 'relation', to: 'things' }, person_id: { type: 'relation', to: 'users' } },
});

type Wrong = Record<string, unknown>;

/** The faults of the things above with one place changed: `a.b.0` leads into lists too; undefined takes away. */
function faultsWith(place: string, value: unknown): string[] {
  const changed = structuredClone(things) as unknown as Wrong;
  const steps = place.split('.');
  const last = steps.pop()!;
  const at = steps.reduce<Wrong>((part, step) => part[step] as Wrong, changed);
  at[last] = value;
  const written = JSON.parse(JSON.stringify(changed)) as Source;
  return readSources(states, notes, written).problems.map(({ path, message }) => `${path} ${message}`);
}

describe('definitions of lists, forms and requests', () => {
  test('are valid without a change', () => expect(faultsWith('name', 'things')).toEqual([]));

  test.each<[string, unknown, string]>([
    // timers
    [
      'timer',
      { relation: 'name', start: 'begin', end: 'end' },
      '/timer/relation "name" is not a relation that a form sets.',
    ],
    [
      'timer',
      { relation: 'perso_id', start: 'begin', end: 'end' },
      '/timer/relation Unknown field "perso_id". Did you mean',
    ],
    ['timer', { relation: 'person_id', start: 'day', end: 'end' }, '/timer/start "day" is not a time with a day.'],
    [
      'timer',
      { relation: 'person_id', start: 'end', end: 'end' },
      '/timer/end "end" is not another time on the day of "end".',
    ],
    ['timer', { relation: 'person_id', start: 'begin' }, '/timer "end" is missing.'],
    // fields
    ['fields.end.laterThan', 'begn', '/fields/end/laterThan Unknown field "begn". Did you mean "begin"?'],
    ['fields.end.laterThan', 'day', '/fields/end/laterThan Both fields must be dates, times or numbers'],
    ['fields.name.maxDate', '$today', '/fields/name/maxDate Only a date has a latest day.'],
    ['fields.day.maxDate', '2026-01-01', '/fields/day/maxDate "2026-01-01" must be one of "$today".'],
    ['fields.begin.dateField', 'end', '/fields/begin/dateField "end" must be of type date'],
    ['fields.begin.suggestedFrom', 'day', '/fields/begin/suggestedFrom "day" must be of type time'],
    ['fields.day.suggestedFrom', 'end', '/fields/day/suggestedFrom Only a time can go on from another one.'],
    [
      'fields.begin',
      { type: 'time', suggestedFrom: 'end' },
      '/fields/begin/suggestedFrom "begin" and "end" are not of the same day',
    ],
    ['fields.day.dateField', 'day', '/fields/day/dateField Only a time can be on the day'],
    ['fields.took.startField', 'day', '/fields/took/startField "day" must be of type time'],
    ['fields.took.endField', 'finish', '/fields/took/endField Unknown field "finish".'],
    ['fields.took.endField', undefined, '/fields/took "endField" is missing.'],
    ['fields.name.startField', 'begin', '/fields/name/startField Only a duration can span two times'],
    ['fields.name.to', 'users', '/fields/name/to Only fields of type relation'],
    ['fields.name.path', 'thing', '/fields/name/path Only a shareLink has a path.'],
    ['fields.link.path', undefined, '/fields/link "path" is missing.'],
    ['fields.second', { type: 'shareLink', path: 'x' }, '/fields/second "link" is already a share link'],
    ['fields.link.path', 'api', '/fields/link/path The path "api" is reserved by the program.'],
    ['fields.link.sharedFields', ['nam'], '/fields/link/sharedFields/0 Unknown field "nam". Did you mean "name"?'],
    ['fields.link.sharedFields', ['name', 'words'], '/fields/link/sharedFields/1 "words" of things is secret'],
    [
      'fields.link.sharedFields',
      ['notes'],
      '/fields/link/sharedFields/0 A visitor cannot read "notes": it is of type inverse.',
    ],
    [
      'fields.link.sharedFields',
      ['late'],
      '/fields/link/sharedFields/0 A visitor cannot read "late": its value depends',
    ],
    ['fields.name.sharedFields', ['day'], '/fields/name/sharedFields Only a shareLink can share fields.'],
    ['fields.late.computed', { took: { $gt: 90 } }, '/fields/late/computed "took" is of type duration:'],
    // parameters
    ['parameters.state.conditions', undefined, '/parameters/state A parameter of kind "named" needs "conditions"'],
    [
      'parameters.state.kind',
      'flag',
      '/parameters/state/conditions Only parameters of kind "named" have this property.',
    ],
    ['parameters.state.conditions.open', { stat: 1 }, '/parameters/state/conditions/open Unknown field "stat"'],
    // tabs
    ['list.tabs.1.name', 'open', '/list/tabs/1/name The tab "open" is duplicated.'],
    ['list.tabs.0.label', 'Open ({count})', '/list/tabs/0/label Unknown placeholder "{count}"'],
    ['list.tabs.0.filter', { stat: 'open' }, '/list/tabs/0/filter/stat Unknown field "stat"'],
    ['list.tabs.0.filter', { state: 'opn' }, '/list/tabs/0/filter/state Unknown value "opn". Did you mean "open"?'],
    ['list.tabs.0.export', 'shut.doc', '/list/tabs/0/export "shut.doc" does not have the required format'],
    ['form.tabs.0.resource', 'note', '/form/tabs/0/resource Unknown resource "note". Did you mean "notes"?'],
    ['form.tabs.0.filter', { thing: 1 }, '/form/tabs/0/filter/thing Unknown field "thing" in notes.'],
    ['form.tabs.0.filter', { thing_id: '$record.nr' }, '/form/tabs/0/filter/thing_id Unknown field "nr"'],
    ['form.tabs.0.visible', { nme: 1 }, '/form/tabs/0/visible Unknown field "nme"'],
    ['fields.grants', { type: 'permissions', limitedBy: 'nr' }, '/fields/grants/limitedBy Unknown field "nr"'],
    ['fields.grants', { type: 'permissions', limitedBy: 'name' }, '/fields/grants/limitedBy "name" is of type text:'],
    ['form.dialog', true, '/form/dialog This must be false.'],
    ['form.dialog', { side: true }, '/form/dialog "width" is missing.'],
    ['form.dialog', { width: 400 }, '/form/popup A form is either a dialog or a popup'],
    // requests
    ['requests.say.path', 'things/{id}', '/requests/say/path "things" is the path of a resource'],
    ['requests.say.path', 'thing', '/requests/say/path "thing" does not have the required format'],
    ['requests.say.sets', ['regio_id'], '/requests/say/sets/0 Unknown field "regio_id". Did you mean "region_id"?'],
    ['requests.say.sets', ['took', 'region_id'], '/requests/say/sets/0 "took" cannot be written.'],
    ['requests.say.adds.resource', 'nots', '/requests/say/adds/resource Unknown resource "nots"'],
    ['requests.say.adds.relation', 'person_id', '/requests/say/adds/relation "person_id" is not a relation to things.'],
    ['requests.say.adds.fields', ['txt'], '/requests/say/adds/fields/0 Unknown field "txt" in notes'],
    ['requests.say.required', ['name'], '/requests/say/required/0 Unknown field in this request "name".'],
    [
      'requests.say.ignoredNames',
      ['text'],
      '/requests/say/ignoredNames/0 "text" is used by this request, so it cannot be ignored.',
    ],
    ['requests.say.visible', { name: {} }, '/requests/say/visible/name Unknown field in this request "name".'],
    ['requests.say.title', 'Of {name}', '/requests/say/title Unknown placeholder "{name}"'],
    ['requests.say.list.filter', { thing: 1 }, '/requests/say/list/filter/thing Unknown field "thing" in notes.'],
    [
      'requests.other',
      { label: 'Same', path: 'thing/{id}', sets: ['name'] },
      '/requests/other/path A request of things already has this path.',
    ],
    ['requests.other', { label: 'Nothing', path: 'other/{id}' }, '/requests/other A request must set fields'],
    // copies, exports, actions, boards
    ['copy.field', 'day', '/copy/field "day" is not a writable text, so it cannot get a suffix.'],
    ['copy.originalField', 'person_id', '/copy/originalField "person_id" is not a relation to things.'],
    ['copy', undefined, '/list/actions "copy" needs records that can be copied'],
    ['export', { path: 'notes' }, '/export/path notes already uses the path "notes".'],
    ['export', { path: 'notes-export' }, '/export/path notes already uses the path "notes-export".'],
    ['list.actions.3.opens.resource', 'nots', '/list/actions/3/opens/resource Unknown resource "nots"'],
    ['list.actions.3.opens.values', { thing: 1 }, '/list/actions/3/opens/values/thing Unknown field "thing" in notes'],
    [
      'list.actions.3.opens.initial',
      { thing: 1 },
      '/list/actions/3/opens/initial/thing Unknown field "thing" in notes',
    ],
    ['list.actions.1', 'sya', '/list/actions/1 Unknown row action "sya". Did you mean "say"?'],
    ['list.kanban', undefined, '/list/views The view "kanban" needs a "kanban".'],
    ['list.kanban.column', 'name', '/list/kanban/column "name" must be of type relation or select'],
    ['list.kanban.request', 'tell', '/list/kanban/request Unknown request "tell".'],
    ['requests.say.sets', ['name'], '/list/kanban/request The request "say" does not set "region_id".'],
    ['list.kanban.field', 'comment', '/list/kanban/field The request "say" does not ask for "comment".'],
    ['list.kanban.sum', 'day', '/list/kanban/sum "day" has no sum: name a number'],
    ['list.kanban.lines.1.field', 'stat.name', '/list/kanban/lines/1 Unknown embed "stat". Did you mean "state"?'],
    ['list.kanban.overdue', 'day', '/list/kanban/overdue "day" must be of type boolean'],
    ['list.kanban.counts', ['name'], '/list/kanban/counts/0 Lists have no count of "name".'],
    ['list.kanban.menu', ['remove'], '/list/kanban/menu/0 Unknown row action "remove".'],
    // calendar, timeline, gallery
    ['list.calendar', undefined, '/list/views The view "calendar" needs a "calendar"'],
    ['list.calendar.start', 'dya', '/list/calendar/start Unknown field "dya". Did you mean "day"?'],
    ['list.calendar.start', 'name', '/list/calendar/start "name" must be of type date or datetime'],
    ['list.calendar.end', 'took', '/list/calendar/end "took" must be of type date or datetime'],
    ['list.calendar.end', 'day', '/list/calendar/end "day" is the start too.'],
    ['list.calendar.title', '{nam}', '/list/calendar/title Unknown field "nam". Did you mean "name"?'],
    ['list.calendar.title', '{words}', '/list/calendar/title "words" of things is secret'],
    ['list.calendar.colour', 'late', '/list/calendar/colour "late" has no colours: name a relation, or a select'],
    ['list.calendar.person', 'name', '/list/calendar/person "name" is not a relation.'],
    ['list.calendar.done', { dya: 1 }, '/list/calendar/done Unknown field "dya"'],
    ['list.timeline', undefined, '/list/views The view "timeline" needs a "timeline"'],
    ['list.timeline.end', undefined, '/list/timeline "end" is missing.'],
    ['list.timeline.group', 'notes', '/list/timeline/group "notes" makes no headings'],
    ['list.gallery', undefined, '/list/views The view "gallery" needs a "gallery".'],
    ['list.gallery.image', 'name', '/list/gallery/image "name" is of type text. Name a field of type image'],
    ['list.gallery.fields', ['stat.name'], '/list/gallery/fields/0 Unknown embed "stat". Did you mean "state"?'],
    ['list.gallery.menu', ['remove'], '/list/gallery/menu/0 Unknown row action "remove".'],
  ])('%s: %j is refused with its place', (place, value, expected) => {
    const found = faultsWith(place, value);
    expect(
      found.filter((one) => one.startsWith(expected)),
      found.join('\n'),
    ).toHaveLength(1);
  });
});

describe('defaults are filled in where a definition leaves a key out', () => {
  const one = definition(things);

  test('of requests', () => {
    expect(one.requests.say).toMatchObject({
      name: 'say',
      title: 'Comments',
      width: '80%',
      toast: 'Saved Successfully',
    });
    const bare = definition({ requests: { rename: { label: 'Rename', path: 'thing/{id}', sets: ['name'] } } });
    expect(bare.requests.rename).toMatchObject({ adds: null, list: null, required: [], ignoredNames: [], visible: {} });
  });

  test('of row actions: a request lends its name and its icon', () => {
    expect(one.list.actions[1]).toEqual({ name: 'say', label: 'Comments', icon: 'comment', request: 'say' });
    expect(one.list.actions[3]).toMatchObject({ label: 'Note', opens: { values: { thing_id: '$record.id' } } });
  });

  test('of tabs, boards, copies and exports', () => {
    expect(one.list.tabs.map((tab) => tab.export)).toEqual(['things.xlsx', 'shut.xlsx']);
    expect(one.list.kanban).toMatchObject({
      label: 'Kanban Board',
      lines: [{ field: 'name' }, { field: 'state.name' }],
    });
    expect(one.copy).toEqual({ suffix: ' - Copy', field: 'name', originalField: 'original_id', resetFields: [] });
    expect(one.toasts.copied).toBe('Copied Successfully');
    expect(one.export).toEqual({ path: 'things-export', file: 'things.xlsx', columns: [], formats: {} });
    expect(definition({ export: false }).export).toBeNull();
    expect(definition({ export: { file: 'all.xlsx' } }).export).toEqual({
      path: 'things-export',
      file: 'all.xlsx',
      columns: [],
      formats: {},
    });
    expect(definition().copy).toBeNull();
  });

  test('of fields: what the server makes is read-only, and a copy does not nest', () => {
    expect([one.fields.took!.readOnly, one.fields.link!.readOnly]).toEqual([true, true]);
    expect(one.fields.took).toMatchObject({ span: { from: 'begin', to: 'end' } });
    expect(one.fields.took!.to).toBeUndefined();
    expect(one.fields.original_id!.maxDepth).toBeUndefined();
    expect(definition(things).form.sections[0]!.fields).not.toContain('original_id');
  });
});
