import { choice, union, flag, list, part, record, template, text } from './key';
import { fieldPath, keyword } from './names';

const column = union(
  [
    fieldPath(),
    part({
      keys: {
        field: fieldPath({
          label: 'Field',
          fallback: 'A text',
          begin: 'id',
          onRemoval: 'removeHolder',
          help: 'A field, a path through relations (`company.country.name`), or a column of rows (`lines.product`).',
        }),
        heading: text({
          label: 'Heading',
          fallback: 'Label of the field',
          help: "Its heading. Default: the field's label.",
        }),
        text: template({
          label: 'Text in each line',
          fallback: '{name}',
          onRemoval: 'removeHolder',
          help: 'Instead of a field: a text that is the same in each line, or a template such as `{key} {company.name}`.',
        }),
      },
    }),
  ],
  {
    title: 'heading',
    short: { key: 'field', label: 'Give it a heading or a text' },
    help: 'A field, or an object with a heading of its own or a text.',
  },
);

/** Only a file of text has these. */
const csv = { format: ['csv'] };

/** Downloads of a list in the shape that another program expects, by name. */
export const namedExports = record(
  part({
    help: 'A download with columns of its own.',
    required: ['label', 'columns'],
    keys: {
      label: text({
        label: 'Label',
        begin: '{key}',
        help: 'Its name in the menu of downloads: "Download for {label}".',
      }),
      columns: list(column, {
        label: 'Columns of the file',
        entry: ['column', 'columns'],
        add: 'Add a column',
        begin: ['id'],
        minItems: 1,
        maxItems: 200,
        help: 'Its columns, in order: fields, paths through relations, columns of rows, fixed texts and templates. What a reader may not see is left empty, so that the file keeps its shape. A calculation is a field with `computed`, which no list needs to show.',
      }),
      format: choice(['xlsx', 'csv'], {
        label: 'Format',
        labels: { xlsx: 'Workbook', csv: 'Comma-separated values' },
        help: 'A workbook, or comma-separated values.',
        default: 'xlsx',
      }),
      separator: choice([',', ';', '\t', '|'], {
        label: 'Between values',
        applies: csv,
        labels: { ',': 'Comma', ';': 'Semicolon', '\t': 'Tab', '|': 'Bar' },
        help: 'csv: the character between values.',
        default: ',',
      }),
      decimalSeparator: choice(['.', ','], {
        label: 'Before decimals',
        labels: { '.': 'Point', ',': 'Comma' },
        applies: csv,
        help: 'csv: the character before decimals. Numbers have no other separators.',
        default: '.',
      }),
      dateFormat: text({
        label: 'Dates',
        applies: csv,
        pattern: '^(YYYY|YY|MM|DD|[ ./-])+$',
        maxLength: 20,
        help: 'csv: how dates are written, with YYYY or YY, MM and DD: `DD.MM.YYYY`. A time follows as HH:mm.',
        default: 'YYYY-MM-DD',
      }),
      encoding: choice(['utf-8-bom', 'utf-8'], {
        label: 'Encoding',
        labels: { 'utf-8-bom': 'UTF-8 with a byte order mark', 'utf-8': 'UTF-8 without one' },
        applies: csv,
        help: 'csv: UTF-8 with a byte order mark, by which spreadsheets recognise it, or without one.',
        default: 'utf-8-bom',
      }),
      header: flag({
        label: 'The first line has the headings',
        applies: csv,
        help: 'csv: the first line has the headings.',
        default: true,
      }),
      file: text({
        label: 'File name',
        pattern: '^[A-Za-z0-9_-]+$',
        maxLength: 100,
        help: 'The file name without its ending, which is that of the format. Default: the table and the name, `deals_accounting`.',
      }),
    },
  }),
  {
    label: 'Downloads for other programs',
    entry: ['download', 'downloads'],
    add: 'New download',
    fallback: 'None besides the spreadsheet.',
    isOpen: true,
    names: keyword({ maxLength: 60 }),
    help: "Downloads in the shape that another program expects, by name: `GET /api/{path of the export}/{name}`, with the list's filters and order, and in the list's menu of downloads. Whoever may list records may download them.",
    examples: [
      {
        accounting: {
          label: 'Accounting',
          format: 'csv',
          separator: ';',
          decimalSeparator: ',',
          dateFormat: 'DD.MM.YYYY',
          columns: [
            { heading: 'Account', text: '8400' },
            { heading: 'Document', field: 'key' },
            { heading: 'Text', text: '{company.name}, {name}' },
            'amount',
          ],
        },
      },
    ],
  },
);
