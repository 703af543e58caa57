import { choice, union, file, flag, keyWith, list, number, part, record, text, type ValueOf } from './key';
import { fieldName, refer } from './names';

/** The values of other programs, by the value that is used here. */
const otherValues = () =>
  record(list(text(), { unique: true, label: 'Written for {key}' }), {
    label: 'Values of {key}',
    add: 'New value of {key} used here',
  });

const tools = list(
  part({
    title: 'name',
    help: 'A program.',
    required: ['name', 'headings'],
    keys: {
      name: text({ label: 'Name of the program', begin: 'Program {n}', help: 'Its name.' }),
      headings: list(text(), {
        label: 'Headings of its files',
        begin: ['Heading'],
        minItems: 1,
        unique: true,
        help: 'Headings that are all there in its files.',
      }),
      columns: record(
        union([refer(text({ minLength: 0 }), 'path', { through: 'relations' }), keyWith<null>({ type: 'null' })], {
          label: '{key} fills',
          input: 'toolColumn',
          begin: null,
        }),
        {
          label: 'Its columns',
          add: 'New heading',
          help: 'Heading → field, or null to leave the column out; takes precedence over names and synonyms. A column of `rows` is named with its field: `lines.action`. Two columns can fill one field of `steps`: their texts are joined.',
          default: {},
        },
      ),
      values: record(otherValues(), {
        label: 'Values of other programs',
        options: 'unidentified',
        add: 'Add values of',
        names: fieldName(),
        help: 'Like `values` of the import, only for the files of this program, and with precedence. The value used here can be empty: `{"category_id": {"": ["undefined"]}}`.',
        default: {},
      }),
      skip: record(list(text(), { unique: true, label: 'Skipped where {key} is' }), {
        label: 'Skipped rows',
        add: 'New heading of rows to skip',
        help: 'Heading → values: rows with one of them are skipped, such as rows of folders.',
        default: {},
      }),
    },
  }),
  {
    label: 'Programs known by their headings',
    rare: true,
    help: 'Programs that are known by their headings.',
    default: [],
  },
);

/** How files are imported. */
export const importSettings = file(
  'Import',
  part({
    help: "How records come out of a spreadsheet. Headings match a field's name, label or embed without regard to case and signs. Days and numbers are read as the person writes them, unless cells of their column can be read in one way alone. The preview makes and checks everything as the import does, and rolls it back.",
    keys: {
      order: number({
        label: 'Position of its tab',
        rare: true,
        help: 'The position of its tab: smaller is further left.',
        default: 100,
      }),
      ask: fieldName({
        label: 'The form asks for',
        options: 'ownRelations',
        help: 'A relation that the form asks for; every record gets it, and the file needs no column for it.',
      }),
      fields: list(fieldName(), {
        label: 'Fields of a file',
        options: 'unidentified',
        minItems: 1,
        unique: true,
        help: "The fields that a file can fill, in the sample's order. Default: all that a form can fill.",
      }),
      match: list(fieldName({ onRemoval: 'removeHolder' }), {
        label: 'A row finds its record by',
        options: 'unidentified',
        minItems: 1,
        unique: true,
        help: 'Fields by which a row finds its record: `["email"]`, or several together, relations too: `["customer_id", "name"]`. Where a file has all of them, a row changes the record that has the same values, and makes a new one if there is none. Default: rows make new records, except those with a Record ID, which change that record in any case.',
      }),
      synonyms: record(list(text(), { unique: true, label: 'Headings of {key}' }), {
        label: 'Other headings',
        options: 'unidentified',
        add: 'Add headings of',
        rare: true,
        names: fieldName(),
        help: 'Additional headings by field, such as those of other programs. Of `rows`, what stands before the colon: `Steps: Action`.',
      }),
      values: record(otherValues(), {
        label: 'Values of other programs',
        options: 'unidentified',
        add: 'Add values of',
        rare: true,
        names: fieldName(),
        help: 'By field: the value used here, and the values of other programs: `{"category_id": {"Books": ["B1"]}}`.',
      }),
      creates: record(
        record(refer(union([text({ minLength: 0 }), number(), flag()]), 'value'), {
          names: fieldName({ in: 'field' }),
          label: 'Values of {key}',
          input: 'createdValues',
          begin: {},
        }),
        {
          label: 'Records that an import makes',
          options: 'ownRelations',
          add: 'Make records of',
          fallback: 'None: a name that no record has is a mistake in its row.',
          names: fieldName(),
          help: 'Relations whose records an import makes where none has the name in the file, for users who may create them: `{"shelf_id": {"store_id": "$form.store_id"}}`. The name becomes the title; the values are those of the new record, or of a field of the imported one (`$form.field`).',
          default: {},
        },
      ),
      files: list(choice(['xml', 'json']), {
        unique: true,
        help: 'Kinds of files that code of the product reads, besides spreadsheets.',
        default: [],
      }),
      paths: list(
        list(fieldName({ onRemoval: 'removeHolder' }), {
          minItems: 2,
          label: 'Relations',
          options: 'relations',
          begin: 2,
        }),
        {
          label: 'Relations that one column fills together',
          add: 'Add a path of relations',
          rare: true,
          help: 'Relations that one column can fill together when it is mapped manually, as in `Payments / Refunds`.',
          default: [],
        },
      ),
      splits: record(
        refer(text({ minLength: 0, label: 'Lines of {key} fill', options: 'rowColumns', begin: true }), 'path', {
          through: 'relations',
        }),
        {
          label: 'Numbered text that can be split into rows',
          options: 'unidentified',
          add: 'Split the text of',
          rare: true,
          names: refer(text(), 'field'),
          help: 'Fields whose numbered text (`1. Open it`, `2. Close it`) the import can split into rows, if whoever imports asks for it, and the column of rows that it fills then: `{"instructions": "steps.action"}`. Numbered text in columns of rows is split too.',
          default: {},
        },
      ),
      steps: list(fieldName(), {
        label: 'Fields that go on in the rows below',
        options: 'unidentified',
        rare: true,
        unique: true,
        help: "Fields that go on in the rows below a record's first; their lines are numbered and joined.",
        default: [],
      }),
      key: list(text(), {
        label: 'Headings that are the same in all rows of a record',
        rare: true,
        unique: true,
        help: 'Headings of a column that is the same in all rows of one record.',
        default: [],
      }),
      numbers: list(text(), {
        label: 'Headings that number the steps',
        rare: true,
        unique: true,
        help: 'Headings of a column that numbers the steps of a record: it does not begin another one, and nothing of it is lost.',
        default: [],
      }),
      tools,
    },
  }),
);

export type ImportSource = ValueOf<typeof importSettings>;
