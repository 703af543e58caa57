import { union, file, flag, list, number, part, record, recordValue, template, text, type ValueOf } from './key';
import { fieldName, fieldPath, keyword, refer, resourceName, sortField } from './names';

const sections = list(
  part({
    help: 'A part of the text.',
    required: ['fields'],
    keys: {
      label: text({ label: 'Heading', help: 'Its heading. Default: none.' }),
      fields: list(fieldName(), {
        label: 'Fields',
        options: 'pageFields',
        minItems: 1,
        unique: true,
        help: 'Its fields in their order; those half as wide as the form stand side by side.',
      }),
    },
  }),
  { label: 'Parts of the text', help: 'The text. Default: the long fields of the form, without headings.' },
);

const stream = list(
  part({
    note: 'list',
    help: 'What the stream tells of.',
    required: ['name', 'label', 'resource', 'filter', 'time', 'text'],
    keys: {
      name: keyword({
        label: 'Name in the URL',
        begin: 'records-{n}',
        help: 'A name for it; neither `all`, `comments` nor `changes`.',
      }),
      label: text({ label: 'Label', begin: 'Records {n}', help: 'What they are called, such as "Results".' }),
      resource: resourceName({
        label: 'Records of',
        help: 'Their resource. Without the permission to list it the stream does not tell of them.',
      }),
      filter: record(recordValue({ onRemoval: 'removeHolder' }), {
        label: 'Which records',
        names: fieldName({ in: 'resource', onRemoval: 'removeHolder' }),
        isWhole: true,
        help: "Query names of that list and their values; `$record.id` is the page's record.",
      }),
      time: fieldName({
        label: 'When',
        options: 'instants',
        begin: 'created_at',
        in: 'resource',
        help: 'When: a field of that resource of the type datetime.',
      }),
      person: fieldName({
        label: 'Who',
        options: 'relations',
        in: 'resource',
        help: 'Who: a relation of that resource. Default: nobody is named.',
      }),
      text: template({
        label: 'What happened, such as: set the result to {result}',
        begin: 'added {id}',
        in: 'resource',
        help: 'What happened, in words that follow the name; `{result}` shows a field of that resource.',
      }),
    },
  }),
  {
    label: 'What it tells of besides comments and changes',
    add: 'Add records of another module',
    identity: 'name',
    help: 'Records of other resources that the stream tells of, besides comments and changes.',
    default: [],
  },
);

const tiles = list(
  part({
    note: 'label',
    help: 'A tile.',
    required: ['name', 'label', 'resource'],
    keys: {
      name: keyword({ label: 'Name', begin: 'tile-{n}', help: 'A name for it.' }),
      label: text({ label: 'Title', begin: 'Tile {n}', help: 'Its title.' }),
      resource: resourceName({
        label: 'Records of',
        help: 'Their resource. Without the permission to list it there is no tile.',
      }),
      filter: record(recordValue({ onRemoval: 'removeHolder' }), {
        label: 'Which records',
        names: fieldName({ in: 'resource', onRemoval: 'removeHolder' }),
        isWhole: true,
        help: "Query names of that list and their values; `$record.id` is the page's record. The title leads to the list with these filters.",
        default: {},
      }),
      columns: list(fieldPath({ in: 'resource' }), {
        label: 'Columns',
        options: 'listPaths',
        unique: true,
        maxItems: 6,
        help: 'Columns of that list. Default: its first three.',
      }),
      sort: sortField({
        label: 'Order',
        help: 'A field of that list, with `-` descending. Default: the order of the list.',
      }),
      limit: number({ label: 'Rows', minimum: 1, maximum: 20, help: 'How many records.', default: 5 }),
      wide: flag({ label: 'As wide as two', help: 'It is as wide as two others.', default: false }),
      beside: flag({
        label: 'Beside the others',
        help: 'It stands in a narrow column at the right, above the properties of the record.',
        default: false,
      }),
      content: keyword({
        label: 'Content from code',
        help: 'Shown in place of the records: the name of a component that the product registers (`formTabs`).',
      }),
    },
  }),
  {
    label: 'Tiles',
    entry: ['tile of the page', 'tiles of the page'],
    add: 'Add a tile',
    identity: 'name',
    help: 'Records of other resources at a glance. With tiles the page opens with them, in a tab *Home*; the lists of related records are tabs beside it, and the properties with the text are the last one, *Details*.',
    default: [],
  },
);

/** The page of a record. */
export const page = file(
  'Page',
  union(
    [
      flag(),
      part({
        onRemoval: 'leaveEmpty',
        keys: {
          chips: list(fieldName(), {
            label: 'Below the title',
            options: 'pageFields',
            unique: true,
            onRemoval: 'leaveEmpty',
            help: 'Fields below the title; with tiles at the right end of the tabs. Default: up to four of the properties whose values have a colour or a shape.',
          }),
          rail: list(fieldName(), {
            label: 'Properties beside the text',
            options: 'pageFields',
            unique: true,
            onRemoval: 'leaveEmpty',
            help: 'The properties beside the text; those whose input fits a cell are edited in place. Default: the fields of the form that are not long, without the title.',
          }),
          sections,
          related: list(refer(text({ pattern: '^[a-z][A-Za-z0-9_-]{0,62}$' }), 'field', { orTab: true }), {
            label: 'Lists of related records',
            options: 'related',
            unique: true,
            onRemoval: 'leaveEmpty',
            help: 'Lists of related records: tabs of the form and fields of the type inverse, by name. Default: the tabs of the form, then the fields of the type inverse whose resource is in none of them.',
          }),
          stream,
          tiles,
        },
      }),
    ],
    {
      help: 'The page of a record, for reading: its title with chips, its properties beside the text, lists of related records, and one stream of comments, changes and records of other resources. `true` uses every default.',
    },
  ),
);

export type PageSource = Exclude<ValueOf<typeof page>, boolean>;
