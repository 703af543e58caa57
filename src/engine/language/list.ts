import { builtInViews, tones, type BuiltInView, type ListView } from '../definitions/definition';
import { choice, union, file, flag, integer, keyWith, list, part, record, text, type Words, type ValueOf } from './key';
import { condition, fieldName, fieldPath, iconName, keyword, pathPattern, sortField, refer } from './names';
import { calendar, card, gallery, kanban, timeline } from './list-views';
import { rowActions } from './row-actions';

/** A column: a field or a path, with `*` where it is hidden at first and `!` where it is always shown. */
const columnName = () => refer(text({ pattern: `^${pathPattern}[*!]{0,2}$` }), 'path');

/** The total that can be taken of a column, as the studio calls it. */
const totalLabels = { sum: 'Sum', avg: 'Average', min: 'Lowest', max: 'Highest', count: 'Number of values' };

/** The layouts of a list, as the studio calls them. */
export const viewLabels: Readonly<Record<BuiltInView, string>> = {
  list: 'List',
  cards: 'Cards',
  kanban: 'Board',
  calendar: 'Calendar',
  timeline: 'Timeline',
  gallery: 'Gallery',
};

/** A layout of a list. The hyphen tells the product's from those that there are, or will be, and from misspelt ones. */
const layoutName = (words: Words = {}) =>
  keyWith<ListView>(
    { type: 'string', anyOf: [choice(builtInViews), text({ pattern: '^[a-z][a-z0-9]*(-[a-z0-9]+)+$' })] },
    words,
  );

/** A field of a chart. */
const figureField = (words: Words) => refer(text({ pattern: '^[a-z][A-Za-z0-9_]*$', ...words }), 'field');

/** A field by which records are grouped, with the period of a date. */
const groupField = (words: Words) =>
  refer(text({ pattern: '^[a-z][A-Za-z0-9_]{0,62}(:(day|week|month|quarter|year))?$', ...words }), 'field');

const columns = list(
  union(
    [
      columnName(),
      part({
        required: ['field'],
        keys: {
          field: fieldPath({ help: 'The field, or a path through relations.' }),
          label: text({ help: "The column's head. Default: the field's label." }),
          visible: flag({ word: 'shown by default', help: 'Visible by default.', default: false }),
          fixed: flag({ word: 'always shown', help: 'Cannot be switched off.', default: false }),
          width: integer({
            minimum: 40,
            maximum: 1000,
            help: 'Pixels. Default: as wide as its values, up to 240; the title gets the rest.',
          }),
          priority: integer({
            minimum: 1,
            maximum: 9,
            help: 'Where the title would get less than 320 pixels, other columns continue in its second line: those with the highest number first, then those without one, the last first.',
          }),
          secondLine: list(fieldPath({ help: 'A field, or a path through relations.' }), {
            minItems: 1,
            maxItems: 4,
            unique: true,
            help: 'Fields of the record in a second line, side by side. The first visible column with one is the title of each row: a click on it opens the record.',
          }),
          parts: list(
            part({
              title: 'field',
              help: 'A part of the bar.',
              required: ['field'],
              keys: {
                field: fieldName({ label: 'Field', options: 'figures', help: 'A number field of the resource.' }),
                tone: choice(tones, {
                  label: 'Colour',
                  help: 'Its colour.',
                  default: 'neutral',
                }),
                icon: iconName({
                  label: 'Icon',
                  help: 'The name of an icon before its number, because colour must not be the only indicator.',
                }),
                isRemainder: flag({
                  label: 'What is left',
                  help: 'What is left: pale, and not counted as done in the per cent beside the bar.',
                  default: false,
                }),
              },
            }),
            {
              label: 'Parts of the bar',
              minItems: 2,
              maxItems: 10,
              help: "Number fields that are parts of the column's value: shown as a bar with its numbers instead of the value, in their order.",
            },
          ),
        },
      }),
    ],
    { help: 'A column: a field with its marks, or an object with its own label or width.' },
  ),
  {
    minItems: 1,
    identity: 'field',
    help: 'Columns in order. `name*` is visible by default, `name!` cannot be hidden, `name` is hidden by default. If none is marked, all are visible. A path through relations (`customer.country.name`) is shown, sorted, filtered and exported like a field. Default: the id and every field without long text.',
  },
);

const filters = record(
  part({
    help: 'A filter.',
    keys: {
      field: fieldPath({
        label: 'Filters by',
        options: 'filters',
        orParameter: true,
        onRemoval: 'removeHolder',
        help: 'The field, path or parameter that it sets. Default: its own name.',
      }),
      label: text({ label: 'Label', help: "Default: the field's label." }),
      multiple: flag({ label: 'Several values at once', help: 'Several values at once.', default: false }),
      range: flag({ label: 'From and to', help: 'From and to, for dates and numbers.', default: false }),
      allLabel: text({
        label: 'Text when all are selected',
        applies: { multiple: [true] },
        help: 'The text of its chip when every choice is selected, such as "Status: All".',
      }),
      choices: condition({
        label: 'Choices where',
        in: 'field',
        formOf: 'filters',
        help: 'Narrows the choices by other filters: `{ "customer_id": "$form.customer_id" }`.',
      }),
    },
  }),
  {
    label: 'Filters',
    options: 'filters',
    fallback: 'No filters: the list has no Filters button',
    names: fieldPath({ orParameter: true, unless: 'field' }),
    help: 'The inputs of the Filters dialog, in order: a field, a path through relations (`customer.country.name`) or a parameter each. `{}` uses every default.',
  },
);

const tabs = list(
  part({
    note: 'name',
    help: 'A tab.',
    required: ['name', 'label', 'filter'],
    keys: {
      name: keyword({ label: 'Name in the URL', begin: 'tab-{n}', help: 'Its name in the address: `?tab=closed`.' }),
      label: text({
        label: 'Label',
        begin: 'Tab {n}',
        help: 'Its label; `{total}` is the number of its records under the other active filters.',
      }),
      filter: record(undefined, {
        label: 'Which records',
        names: fieldName({ orParameter: true, onRemoval: 'removeHolder' }),
        isWhole: true,
        help: 'Which records: query names (fields or parameters) and their values.',
      }),
      export: text({
        label: 'File name of its download',
        pattern: '^[A-Za-z0-9_-]+\\.xlsx$',
        help: 'The file name of its download. Default: that of the list.',
      }),
      linkOnly: flag({
        label: 'Shown only while the URL names it',
        help: 'Shown only while the URL names it, such as a tab of all records linked from a figure. The first tab is always shown.',
        default: false,
      }),
    },
  }),
  {
    label: 'Tabs',
    entry: ['tab of the list', 'tabs of the list'],
    fallback: 'No tabs: the list shows all records',
    minItems: 1,
    identity: 'name',
    help: 'Tabs above the list, each with its own part of the records. A list within another record has none.',
  },
);

/** Sums, averages and other totals of columns. */
const totals = record(
  choice(['sum', 'avg', 'min', 'max', 'count'], {
    label: 'What is taken of {key}',
    begin: 'sum',
    labels: totalLabels,
    help: 'Sum, average, lowest, highest, or the number of values.',
  }),
  {
    label: 'Totals of columns',
    options: 'summable',
    add: 'Add a total',
    fallback: 'No totals: users choose their own',
    minProperties: 1,
    maxProperties: 9,
    names: fieldName(),
    help: 'Totals of columns, shown for each group and for the whole list: numbers, amounts of money or durations, and what is taken of them. Amounts in different currencies are never added up. Users can choose others; saved views keep them.',
    examples: [{ amount: 'sum' }],
  },
);

const savedViews = list(
  part({
    note: 'name',
    help: 'A view.',
    required: ['name', 'label'],
    keys: {
      name: text({
        label: 'Name in the URL',
        begin: 'view-{n}',
        pattern: '^(?!(list|cards|kanban|calendar|timeline|gallery|all)$)[a-z][a-z0-9-]*$',
        help: 'Its name in the address: `?view=overdue`.',
      }),
      label: text({ label: 'Label', begin: 'View {n}', maxLength: 60, help: 'Its label.' }),
      filter: record(undefined, {
        label: 'Filters',
        names: fieldName({ orParameter: true, onRemoval: 'removeHolder' }),
        onRemoval: 'removeHolder',
        isWhole: true,
        help: "Its filters: query names (fields, `x_from` and `x_to`, or parameters) and their values; `$actor.id` is the user's id. Default: none.",
      }),
      sort: sortField({
        label: 'Order',
        help: 'Its order: a field or path, with `-` descending. Default: that of the list.',
      }),
      columns: list(refer(text({ help: 'A column.' }), 'path'), {
        label: 'Columns',
        minItems: 1,
        unique: true,
        isWhole: true,
        help: 'Its columns in order, among those of the list. Default: those that the user chose.',
      }),
      view: layoutName({
        label: 'Layout',
        options: 'layouts',
        labels: viewLabels,
        help: 'Its layout, among the `views` of the list. Default: what the user chose last.',
      }),
      tab: refer(
        text({
          label: 'Tab',
          options: 'tabs',
          help: 'The tab of the list whose records it shows. Default: the first.',
        }),
        'tab',
      ),
      group: groupField({
        label: 'Grouped by',
        options: 'groupings',
        help: 'What it is grouped by: a field; for a date with the period, as in `close_on:month`. Default: as the list.',
      }),
      totals,
    },
  }),
  {
    label: 'Views',
    entry: ['view of the list', 'views of the list'],
    fallback: 'No views: people save their own',
    minItems: 1,
    identity: 'name',
    help: 'Views that the list comes with, as tabs before those that people save: `?view=overdue`. People may save others from them.',
  },
);

const charts = list(
  part({
    note: 'kind',
    help: 'A chart.',
    required: ['name', 'label', 'kind'],
    keys: {
      name: keyword({
        label: 'Name',
        begin: 'chart-{n}',
        maxLength: 63,
        help: 'Its name, by which pages refer to it.',
      }),
      label: text({ label: 'Label', begin: 'Chart {n}', maxLength: 60, help: 'Its title.' }),
      kind: choice(['bar', 'line', 'doughnut', 'number'], {
        label: 'Kind',
        labels: { bar: 'Bars', line: 'Lines', doughnut: 'Doughnut', number: 'Number' },
        help: 'bar, line: a value of each group, of each series. doughnut: the parts of a whole. number: one figure about all records.',
      }),
      group: figureField({
        label: 'Labels',
        options: 'groups',
        begin: true,
        applies: { kind: ['bar', 'line', 'doughnut'] },
        onRemoval: 'removeHolder',
        help: 'The field whose values are the labels: a relation, a select, a boolean, a text, or a date. Every kind but number needs one.',
      }),
      step: choice(['day', 'week', 'month'], {
        label: 'Periods',
        applies: { group: 'dates' },
        help: 'The periods of a group by dates. Default: month.',
      }),
      series: figureField({
        label: 'Series',
        options: 'series',
        applies: { kind: ['bar', 'line'] },
        onRemoval: 'removeHolder',
        help: 'bar, line: a second field, whose values are the series: bars are stacked, lines are drawn side by side.',
      }),
      sum: figureField({
        label: 'Sum of',
        options: 'summable',
        fallback: 'Number of records',
        onRemoval: 'removeHolder',
        help: 'The number, amount or duration field to add up, instead of counting the records.',
      }),
      avg: figureField({
        label: 'Average of',
        options: 'summable',
        onRemoval: 'removeHolder',
        help: 'The number, amount or duration field whose average is shown, instead of counting the records.',
      }),
      where: condition({
        label: 'Only records where',
        onRemoval: 'removeHolder',
        help: 'Only the records that meet this condition, such as `{ "due": { "$lt": "$today" } }`. Default: all of the list.',
      }),
    },
  }),
  {
    label: 'Charts',
    minItems: 1,
    maxItems: 12,
    identity: 'name',
    help: 'Figures above the list, which follow its filters. They are counted among the records that the user may list; a chart of a field that the user may not read is not shown. Pages that people put together show them too.',
  },
);

const highlightPart = part({
  required: ['where', 'tone', 'label'],
  keys: {
    where: condition({ help: 'Which rows.' }),
    tone: choice(tones, {
      help: 'The meaning of the tint.',
    }),
    label: text({ help: 'A label beside the title, because colour must not be the only indicator.' }),
    lateSince: fieldName({
      label: 'Late since',
      options: 'days',
      help: 'A date field: where its column is shown, it says `6 days late` in the colour, in place of the label.',
    }),
  },
});

const highlight = union([highlightPart, list(highlightPart, { minItems: 1, maxItems: 8, identity: 'label' })], {
  help: 'Highlights rows that match a condition. A list of several: each row has the first that it matches.',
});

/** The list of a resource. */
export const listView = file(
  'List',
  part({
    help: 'The list of records: its columns, filters, views and row actions.',
    keys: {
      columns,
      rowClick: choice(['page', 'edit', 'view', 'screen', 'none'], {
        label: 'A click on a row',
        labels: {
          page: 'Opens the page of the record',
          edit: 'Opens the record for editing',
          view: 'Opens the record read-only',
          screen: 'Opens the screen of its first action with one that every record has',
        },
        help: "What a click on a cell does: open the record's page or its form, to edit or to view it, or the `screen` of its first action that has one and no condition. Links to a record lead there too. Default: `page` where there is a `page`, otherwise `none`.",
      }),
      sort: sortField({
        label: 'Sorted by',
        word: 'sort order of the list',
        input: 'sort',
        help: 'The default order: a field, or a path through relations (`customer.country.name`), with `-` descending.',
        default: '-id',
      }),
      sortChoices: list(fieldPath(), {
        label: 'Sort options',
        options: 'listPaths',
        fallback: 'None: no sort button',
        unique: true,
        help: 'Fields, or paths through relations, that the sort select offers. Without them there is no select.',
      }),
      filters,
      views: list(layoutName(), {
        label: 'Views',
        options: 'layouts',
        labels: viewLabels,
        minItems: 1,
        unique: true,
        help: 'How the list can be shown; the first is the default. A name with a hyphen, such as `on-a-map`, is a layout that the product registers (`listViews`).',
        default: ['list'],
      }),
      card,
      kanban,
      calendar,
      timeline,
      gallery,
      tabs,
      saved: savedViews,
      charts,
      actions: rowActions,
      actionsWidth: integer({
        label: 'Width of the actions column',
        minimum: 40,
        maximum: 400,
        help: 'Width of the column of row actions, in pixels.',
        default: 70,
      }),
      chooseColumns: flag({
        label: 'Users can choose columns',
        help: 'Users can choose their columns. Default: with more than three columns.',
      }),
      search: flag({
        label: 'Full-text search',
        word: 'search of the list',
        help: 'The toolbar has a search over all text.',
        default: true,
      }),
      group: part({
        help: 'How the list is grouped: rows under headings with their number and totals. Users can group every list by its relations to one record, fields with options, yes or no, and dates; saved views keep it.',
        examples: [{ field: 'stage_id' }],
        keys: {
          field: groupField({
            label: 'Grouped by',
            options: 'groupings',
            help: 'What it is grouped by at first: a field; for a date with the period, as in `close_on:month`. Default: nothing.',
            examples: ['stage_id', 'close_on:month'],
          }),
          fields: list(fieldName(), {
            label: 'Users can group by',
            options: 'listGroups',
            unique: true,
            help: 'The fields by which users can group the list. Default: all that are columns and can be grouped.',
          }),
        },
      }),
      totals,
      tree: list(fieldName(), {
        label: 'Tree beside the list',
        options: 'treeRelations',
        minItems: 1,
        maxItems: 3,
        unique: true,
        help: 'A tree beside the list, with the number of its records in each branch: relations of this record to the records of one tree, which have a relation to their own resource. A record is in the branch that the first of them with a value names. The list is filtered by a branch with the parameter `tree`: an id, or `none` for records in no branch.',
        examples: [['location_id'], ['subcategory_id', 'category_id']],
      }),
      highlight,
      bulkEdit: list(fieldName(), {
        label: 'Fields for bulk editing',
        options: 'editable',
        unique: true,
        help: 'Fields that can be set on many selected rows at once.',
        default: [],
      }),
      inlineEdit: list(fieldName(), {
        label: 'Cells that can be edited',
        options: 'editable',
        unique: true,
        onRemoval: 'leaveEmpty',
        help: 'Fields whose cells can be edited in the list, by a click or Enter; `a` and `s` edit the first person and the first state among them. Dates, numbers, short texts, selects and relations. Default: those of `bulkEdit`; an empty list: none.',
      }),
      bulkDelete: flag({
        label: 'Selected rows can be deleted together',
        help: 'Selected rows can be deleted at once.',
        default: true,
      }),
      quickAdd: flag({
        label: 'A line adds records by their titles',
        help: 'A line below the list adds a record by its title alone: it is in the chosen branch of the tree, has the values of the filters and those that `form.keep` names. Where the list is grouped by a relation or an option, each group has such a line, which adds to it. Shown where these are all that a record needs.',
      }),
      emptyText: text({
        label: 'Message for an empty list',
        word: 'text of the empty list',
        help: 'The sentence of an empty list. Default: "No … yet.", and what to do next.',
      }),
      emptyActions: list(choice(['add', 'import']), {
        label: 'Offers of an empty list',
        labels: { add: 'Add', import: 'Import' },
        unique: true,
        help: 'What an empty list offers whoever may do it: to add the first record, to import a file. Default: both; an empty list: nothing.',
      }),
      emptyPicture: choice(['checklist', 'run', 'target', 'clock', 'pipeline'], {
        label: 'Picture of an empty list',
        labels: { checklist: 'Checklist', run: 'Run', target: 'Target', clock: 'Clock', pipeline: 'Pipeline' },
        help: 'The picture above the sentence of an empty list. Default: rows under a lens.',
      }),
      emptyCommand: text({
        label: 'Command of an empty list',
        word: 'command of the empty list',
        help: 'A command that an empty list offers to copy, where records come from another program; `{origin}` is the address of this one.',
        examples: ['curl {origin}/api/readings -d @readings.json'],
      }),
    },
  }),
);

export type ListSource = ValueOf<typeof listView>;
