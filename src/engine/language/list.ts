import {
  choice,
  either,
  file,
  flag,
  integer,
  list,
  part,
  record,
  recordValue,
  template,
  text,
  type Words,
  type ValueOf,
} from './key';
import {
  condition,
  fieldName,
  fieldPath,
  iconName,
  identifier,
  keyword,
  requestName,
  resourceName,
  roleName,
  sortField,
  refer,
} from './names';

/** A column: a field or a path, with `*` where it is hidden at first and `!` where it is always shown. */
const columnName = () => refer(text({ pattern: '^[a-z][A-Za-z0-9_]*(\\.[a-z][A-Za-z0-9_]*)?[*!]{0,2}$' }), 'path');

const shortPath = () => refer(text({ pattern: '^[a-z][A-Za-z0-9_]*(\\.[a-z][A-Za-z0-9_]*)?$' }), 'path');

/** The lines of a card, in lists and on boards. */
const cardLines = list(
  either(
    [
      shortPath(),
      part({
        required: ['field'],
        keys: {
          field: fieldPath({ help: 'The field, or a path through an embed.' }),
          icon: iconName({ help: 'The name of an icon.' }),
        },
      }),
    ],
    { help: 'A field, or an object with an icon before it.' },
  ),
  { identity: 'field', help: 'Fields below the title.' },
);

/** A field of a chart. */
const figureField = (words: Words) => refer(text({ pattern: '^[a-z][A-Za-z0-9_]*$', ...words }), 'field');

/** A field by which records are grouped, with the period of a date. */
const groupField = (words: Words) =>
  refer(text({ pattern: '^[a-z][A-Za-z0-9_]{0,62}(:(day|week|month|quarter|year))?$', ...words }), 'field');

const columns = list(
  either(
    [
      columnName(),
      part({
        required: ['field'],
        keys: {
          field: fieldPath({ help: 'The field, or a path through an embed.' }),
          label: text({ help: "The column's head. Default: the field's label." }),
          visible: flag({ help: 'Visible by default.', default: false }),
          fixed: flag({ help: 'Cannot be switched off.', default: false }),
          width: integer({ minimum: 40, maximum: 1000, help: 'Pixels. Default: as wide as there is room.' }),
          below: list(fieldPath({ help: 'A field, or a path through an embed.' }), {
            minItems: 1,
            maxItems: 4,
            unique: true,
            help: 'Fields of the record in a second line, side by side. The first visible column with one is the title of each row: a click on it opens the record.',
          }),
          parts: list(
            part({
              help: 'A part of the bar.',
              required: ['field'],
              keys: {
                field: fieldName({ help: 'A number field of the resource.' }),
                tone: choice(['urgent', 'high', 'medium', 'low', 'neutral', 'info', 'violet', 'teal'], {
                  help: 'Its colour.',
                  default: 'neutral',
                }),
                icon: iconName({
                  help: 'The name of an icon before its number, because colour must not be the only indicator.',
                }),
                rest: flag({
                  help: 'What is left: pale, and not counted as done in the per cent beside the bar.',
                  default: false,
                }),
              },
            }),
            {
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
    help: 'Columns in order. `name*` is visible by default, `name!` cannot be hidden, `name` is hidden by default. If none is marked, all are visible. A path through an embed (`user.email`) is shown, but not sortable. Default: the id and every field without long text.',
  },
);

const filters = record(
  part({
    help: 'A filter.',
    keys: {
      field: fieldName({
        orParameter: true,
        onRemoval: 'removeHolder',
        help: 'The field or parameter that it sets. Default: its own name.',
      }),
      label: text({ help: "Default: the field's label." }),
      many: flag({ help: 'Several values at once.', default: false }),
      range: flag({ help: 'From and to, for dates and numbers.', default: false }),
      allLabel: text({ help: 'The text of its chip when every choice is selected, such as "Status: All".' }),
      choices: condition({
        in: 'field',
        formOf: 'filters',
        help: 'Narrows the choices by other filters: `{ "customer_id": "$form.customer_id" }`.',
      }),
    },
  }),
  {
    names: fieldName({ orParameter: true, unless: 'field' }),
    help: 'The inputs of the Filters dialog, in order: a field or a parameter each. `{}` uses every default.',
  },
);

const card = part({
  onRemoval: 'leaveEmpty',
  help: 'A record as a card. Phones show cards always.',
  keys: {
    title: template({ help: "A template over the record's fields. Default: the record's title." }),
    subtitle: template({ help: "A template over the record's fields and embeds." }),
    mark: refer(
      text({
        help: 'Shown at its left: `initials` of the title, an icon field, a path to one (`type.icon`), or `none`: then the id is shown above the title.',
        default: 'initials',
      }),
      'path',
      { words: ['initials', 'none'] },
    ),
    key: fieldName({
      help: 'With the mark `none`: the field that is shown above the title instead of the id, such as a sequence.',
    }),
    marks: list(fieldPath({ help: 'A field, or a path through an embed.' }), {
      help: 'Fields, or paths through an embed, side by side below the title.',
    }),
    person: fieldName({ help: 'A relation shown as a person at the end of the lines.' }),
    lines: cardLines,
    counts: list(
      part({
        help: 'A count.',
        required: ['field', 'one', 'many'],
        keys: {
          field: fieldName({ help: 'An inverse or relations field.' }),
          action: text({ help: 'The row action that a click on it takes.' }),
          one: text({ help: 'The singular: "project".' }),
          many: text({ help: 'The plural: "projects".' }),
        },
      }),
      { identity: 'field', help: 'Counts of related records at its foot.' },
    ),
    menu: list(text(), { unique: true, help: 'Row actions in its menu.', default: ['edit', 'delete'] }),
  },
});

const kanban = part({
  help: 'The list as a board: a column for each choice of a relation, or for each option of a select. A card can be moved where the transitions of the field allow it.',
  required: ['column'],
  keys: {
    label: text({ help: 'The label of the view.', default: 'Kanban Board' }),
    column: fieldName({ help: 'A relation, whose choices are the columns, or a select, whose options are.' }),
    request: requestName({
      help: "The request that a move makes; it sets the column's field. Default: a move edits the field, and asks for what its transition needs.",
    }),
    field: fieldName({
      listedIn: ['sets', 'asks'],
      onRemoval: 'removeHolder',
      help: 'The field of the request that a move asks for: a comment. Default: none.',
    }),
    sum: fieldName({
      help: 'A number or an amount of money: each column shows the sum of its records beside their count.',
    }),
    lines: cardLines,
    priority: fieldName({ help: 'A relation shown as a mark.' }),
    person: fieldName({ help: 'A relation shown as a person.' }),
    due: fieldName({ help: 'The date that a record is due.' }),
    late: fieldName({ help: 'A boolean field: the date was missed.' }),
    counts: list(fieldName(), {
      unique: true,
      help: 'Inverse fields with counts at the bottom of the card.',
      default: [],
    }),
    menu: list(text(), { unique: true, help: "Row actions in the card's menu.", default: ['edit', 'delete'] }),
  },
});

const calendar = part({
  help: 'The list as a calendar: each record as a bar over its days, in months or weeks. Bars are moved, and their ends changed, by users who may write these fields.',
  required: ['start'],
  keys: {
    label: text({ help: 'The label of the view.', default: 'Calendar' }),
    start: fieldName({ help: 'A date or time: the first day of a record.' }),
    end: fieldName({ help: 'A date or time: its last day. Records without one take a single day. Default: none.' }),
    title: template({
      help: "What a bar says: a template over the record's fields and embeds. Default: the record's title.",
    }),
    colour: fieldName({ help: 'A select, or a relation to records with tones: the colour of the bars.' }),
    person: fieldName({ help: 'A relation shown as a person at the end of a bar.' }),
    done: condition({ help: 'Records that are done: their bars are neutral, with a check. Default: none.' }),
  },
});

const timeline = part({
  help: 'The list as a timeline: a row for each record that lies in the shown weeks, with a bar from its first to its last day. Bars are moved as in a calendar.',
  required: ['start', 'end'],
  keys: {
    label: text({ help: 'The label of the view.', default: 'Timeline' }),
    start: fieldName({ help: 'A date or time: the first day of a record.' }),
    end: fieldName({ help: 'A date or time: its last day.' }),
    title: template({
      help: "What a row says: a template over the record's fields and embeds. Default: the record's title.",
    }),
    colour: fieldName({ help: 'A select, or a relation to records with tones: the colour of the bars.' }),
    group: fieldName({
      help: 'A relation or select: rows with the same value are below a heading. Default: no headings.',
    }),
    done: condition({ help: 'Records that are done: their bars are neutral, with a check. Default: none.' }),
  },
});

const gallery = part({
  help: 'The list as pictures: a card for each record, with its picture, its title and a few values. It has pages as the list has, and its cards are selected as rows are.',
  keys: {
    label: text({ help: 'The label of the view.', default: 'Gallery' }),
    image: fieldName({ help: 'An image field. Cards without a picture show the icon of the module. Default: none.' }),
    title: template({
      help: "What a card says: a template over the record's fields and embeds. Default: the record's title.",
    }),
    fields: list(fieldPath({ help: 'A field, or a path through an embed.' }), {
      unique: true,
      help: 'Fields, or paths through an embed, below the title.',
      default: [],
    }),
    menu: list(text(), { unique: true, help: "Row actions in the card's menu.", default: ['edit', 'delete'] }),
  },
});

const tabs = list(
  part({
    help: 'A tab.',
    required: ['name', 'label', 'filter'],
    keys: {
      name: keyword({ help: 'Its name in the address: `?tab=closed`.' }),
      label: text({ help: 'Its label; `{total}` is the number of its records under the other active filters.' }),
      filter: record(undefined, {
        names: fieldName({ orParameter: true, onRemoval: 'removeHolder' }),
        isWhole: true,
        help: 'Which records: query names (fields or parameters) and their values.',
      }),
      export: text({
        pattern: '^[A-Za-z0-9_-]+\\.xlsx$',
        help: 'The file name of its download. Default: that of the list.',
      }),
      linkOnly: flag({
        help: 'Shown only while the URL names it, such as a tab of all records linked from a figure. The first tab is always shown.',
        default: false,
      }),
    },
  }),
  {
    minItems: 1,
    identity: 'name',
    help: 'Tabs above the list, each with its own part of the records. A list within another record has none.',
  },
);

const saved = list(
  part({
    help: 'A view.',
    required: ['name', 'label'],
    keys: {
      name: text({
        pattern: '^(?!(list|cards|kanban|calendar|timeline|gallery|all)$)[a-z][a-z0-9-]*$',
        help: 'Its name in the address: `?view=overdue`.',
      }),
      label: text({ maxLength: 60, help: 'Its label.' }),
      filter: record(undefined, {
        names: fieldName({ orParameter: true, onRemoval: 'removeHolder' }),
        onRemoval: 'removeHolder',
        isWhole: true,
        help: "Its filters: query names (fields, `x_from` and `x_to`, or parameters) and their values; `$actor.id` is the user's id. Default: none.",
      }),
      sort: sortField({ help: 'Its order: a field, with `-` descending. Default: that of the list.' }),
      columns: list(refer(text({ help: 'A column.' }), 'path'), {
        minItems: 1,
        unique: true,
        isWhole: true,
        help: 'Its columns in order, among those of the list. Default: those that the user chose.',
      }),
      view: choice(['list', 'cards', 'kanban', 'calendar', 'timeline', 'gallery'], {
        help: 'Its layout, among the `views` of the list. Default: what the user chose last.',
      }),
      tab: text({ help: 'The tab of the list whose records it shows. Default: the first.' }),
      group: groupField({
        help: 'What it is grouped by: a field; for a date with the period, as in `close_on:month`. Default: as the list.',
      }),
    },
  }),
  {
    minItems: 1,
    identity: 'name',
    help: 'Views that the list comes with, as tabs before those that people save: `?view=overdue`. People may save others from them.',
  },
);

const charts = list(
  part({
    help: 'A chart.',
    required: ['name', 'label', 'kind'],
    keys: {
      name: keyword({ maxLength: 63, help: 'Its name, by which pages refer to it.' }),
      label: text({ maxLength: 60, help: 'Its title.' }),
      kind: choice(['bar', 'line', 'doughnut', 'number'], {
        help: 'bar, line: a value of each group, of each series. doughnut: the parts of a whole. number: one figure about all records.',
      }),
      group: figureField({
        onRemoval: 'removeHolder',
        help: 'The field whose values are the labels: a relation, a select, a boolean, a text, or a date. Every kind but number needs one.',
      }),
      step: choice(['day', 'week', 'month'], { help: 'The periods of a group by dates. Default: month.' }),
      by: figureField({
        onRemoval: 'removeHolder',
        help: 'bar, line: a second field, whose values are the series: bars are stacked, lines are drawn side by side.',
      }),
      sum: figureField({
        onRemoval: 'removeHolder',
        help: 'The number, amount or duration field to add up, instead of counting the records.',
      }),
      avg: figureField({
        onRemoval: 'removeHolder',
        help: 'The number, amount or duration field whose average is shown, instead of counting the records.',
      }),
      where: condition({
        onRemoval: 'removeHolder',
        help: 'Only the records that meet this condition, such as `{ "due": { "$lt": "$today" } }`. Default: all of the list.',
      }),
    },
  }),
  {
    minItems: 1,
    maxItems: 12,
    identity: 'name',
    help: 'Figures above the list, which follow its filters. They are counted among the records that the user may list; a chart of a field that the user may not read is not shown. Pages that people put together show them too.',
  },
);

const actions = list(
  either(
    [
      text({ minLength: 0 }),
      part({
        required: ['name'],
        keys: {
          name: text({ help: 'Its name.' }),
          label: text({ help: 'Its label.' }),
          icon: iconName({ help: 'The name of an icon.' }),
          levels: list(choice([1, 2, 3, 4, 5, 6]), {
            minItems: 1,
            unique: true,
            help: 'Offered only to users of these levels. A request that names nobody itself is for these alone, over the API too. Default: all.',
          }),
          roles: list(roleName(), {
            minItems: 1,
            unique: true,
            help: 'Offered only to users of these roles, by their keys, besides those of `levels`. A request that names nobody itself is for these alone, over the API too. Default: all.',
          }),
          visible: condition({ help: 'Offered only on matching records. Default: always.' }),
          visibleOnRecord: condition({
            help: "On cards and on the record's form, offered only if this matches. Default: as in rows.",
          }),
          calls: part({
            help: 'A call with its own response, such as sending something again. Also a button of the form.',
            required: ['path'],
            keys: {
              path: text({
                pattern: '^[a-z][a-z0-9-]*(/(\\{id\\}|[a-z][a-z0-9-]*))*$',
                help: "Its path in the API, POST; `{id}` is the record's id.",
              }),
              body: record(recordValue(), { help: "The request body; `$record.id` is the record's id.", default: {} }),
              needs: choice(['view', 'edit'], { help: 'The permission needed on the record.', default: 'edit' }),
              confirm: text({ help: 'A question asked before.' }),
              many: identifier({
                help: 'The property of the body with the ids of records: then the action is offered for selected records too, and made in one call for up to 500 of them.',
              }),
              toast: text({
                help: "Message after success. `{name}` is a property of the response's `data`, of a list its length. Default: the message in the response.",
              }),
              shows: part({
                help: "The response is shown in a dialog: a page, or a secret that is never shown again, with a button that copies it. Names of the response's properties.",
                required: ['title', 'text'],
                schema: { oneOf: [{ required: ['html'] }, { required: ['secret'] }] },
                keys: {
                  title: text({ minLength: 0, help: "The title's." }),
                  text: text({
                    minLength: 0,
                    help: "The plain text's: of a page its plain text, beside a secret what to do with it.",
                  }),
                  html: text({ minLength: 0, help: "The page's HTML." }),
                  secret: text({ minLength: 0, help: "The secret's." }),
                },
              }),
              afterCreate: flag({
                help: 'It is also made, without its question, as soon as a record was added in the panel of the form (`form.dialog` with `side`), which then shows the secret. Needs `shows` with `secret`.',
                default: false,
              }),
            },
          }),
          goTo: part({
            help: 'Opens another list with a filter.',
            required: ['resource'],
            keys: {
              resource: resourceName({ help: 'The resource whose list opens.' }),
              filter: record(recordValue(), {
                names: refer(text(), 'field', { in: 'resource' }),
                help: "Filter names and their values; `$record.id` is the row's id.",
                default: {},
              }),
            },
          }),
          screen: template({
            onRemoval: 'report',
            pattern: '^/[A-Za-z0-9/{}_?=&-]*$',
            maxLength: 200,
            help: "Opens a screen of the product, for users who can view the record. Names of fields in braces stand for the record's values: `/test-runs/{id}/run`.",
          }),
          opens: part({
            help: 'Opens the form of a new record of another resource as a dialog; offered to users who can create there.',
            required: ['resource'],
            keys: {
              resource: resourceName({ help: 'The resource that a record is made of.' }),
              values: record(recordValue(), {
                names: fieldName({ in: 'resource' }),
                help: "Fields of the new record and their values; `$record.id` is the row's id.",
                default: {},
              }),
              initial: record(recordValue(), {
                names: fieldName({ in: 'resource' }),
                help: "Fields of the new record with values that the form begins with and the user can change; `$record.name` is the row's name.",
                default: {},
              }),
            },
          }),
        },
      }),
    ],
    { help: "A known action by name, or an action of the definition's own." },
  ),
  {
    identity: 'name',
    help: "The actions for a row. Built in: `edit`, `view`, `copy`, `unarchive`, `delete`, and the definition's requests by name. Default: edit, delete, and unarchive if records can be archived.",
  },
);

const highlight = either(
  [
    part({
      required: ['when', 'tone', 'label'],
      keys: {
        when: condition({ help: 'Which rows.' }),
        tone: choice(['urgent', 'high', 'medium', 'low', 'neutral', 'info', 'violet', 'teal'], {
          help: 'The meaning of the tint.',
        }),
        label: text({ help: 'A label beside the title, because colour must not be the only indicator.' }),
      },
    }),
    list(
      part({
        required: ['when', 'tone', 'label'],
        keys: {
          when: condition({ help: 'Which rows.' }),
          tone: choice(['urgent', 'high', 'medium', 'low', 'neutral', 'info', 'violet', 'teal'], {
            help: 'The meaning of the tint.',
          }),
          label: text({ help: 'A label beside the title, because colour must not be the only indicator.' }),
        },
      }),
      { minItems: 1, maxItems: 8, identity: 'label' },
    ),
  ],
  { help: 'Highlights rows that match a condition. A list of several: each row has the first that it matches.' },
);

/** The list of a resource. */
export const listView = file(
  'List',
  part({
    help: 'The list of records: its columns, filters, views and row actions.',
    keys: {
      columns,
      rowClick: choice(['page', 'edit', 'view', 'screen', 'none'], {
        help: "What a click on a cell does: open the record's page or its form, to edit or to view it, or the `screen` of its first action that has one. Links to a record lead there too. Default: `page` where there is a `page`, otherwise `none`.",
      }),
      sort: sortField({ help: 'The default order: a field, with `-` descending.', default: '-id' }),
      sortChoices: list(fieldName(), {
        unique: true,
        help: 'Fields that the sort select offers. Without them there is no select.',
      }),
      filters,
      views: list(choice(['list', 'cards', 'kanban', 'calendar', 'timeline', 'gallery']), {
        minItems: 1,
        unique: true,
        help: 'How the list can be shown; the first is the default.',
        default: ['list'],
      }),
      card,
      kanban,
      calendar,
      timeline,
      gallery,
      tabs,
      saved,
      charts,
      actions,
      actionsWidth: integer({
        minimum: 40,
        maximum: 400,
        help: 'Width of the column of row actions, in pixels.',
        default: 70,
      }),
      chooseColumns: flag({ help: 'Users can choose their columns. Default: with more than three columns.' }),
      search: flag({ help: 'The toolbar has a search over all text.', default: true }),
      group: part({
        help: 'How the list is grouped: rows under headings with their number and totals. Users can group every list by its relations to one record, fields with options, yes or no, and dates; saved views keep it.',
        examples: [{ by: 'stage_id' }],
        keys: {
          by: groupField({
            help: 'What it is grouped by at first: a field; for a date with the period, as in `close_on:month`. Default: nothing.',
            examples: ['stage_id', 'close_on:month'],
          }),
          fields: list(fieldName(), {
            unique: true,
            help: 'The fields by which users can group the list. Default: all that are columns and can be grouped.',
          }),
        },
      }),
      totals: record(
        choice(['sum', 'avg', 'min', 'max', 'count'], {
          help: 'Sum, average, lowest, highest, or the number of values.',
        }),
        {
          minProperties: 1,
          maxProperties: 9,
          names: fieldName(),
          help: 'Totals of columns, shown for each group and for the whole list: numbers, amounts of money or durations, and what is taken of them. Amounts in different currencies are never added up. Users can choose others; saved views keep them.',
          examples: [{ amount: 'sum' }],
        },
      ),
      tree: list(fieldName(), {
        minItems: 1,
        maxItems: 3,
        unique: true,
        help: 'A tree beside the list, with the number of its records in each branch: relations of this record to the records of one tree, which have a relation to their own resource. A record is in the branch that the first of them with a value names. The list is filtered by a branch with the parameter `tree`: an id, or `none` for records in no branch.',
        examples: [['location_id'], ['subcategory_id', 'category_id']],
      }),
      highlight,
      bulkEdit: list(fieldName(), {
        unique: true,
        help: 'Fields that can be set on many selected rows at once.',
        default: [],
      }),
      inlineEdit: list(fieldName(), {
        unique: true,
        onRemoval: 'leaveEmpty',
        help: 'Fields whose cells can be edited in the list, by a click or Enter; `a` and `s` edit the first person and the first state among them. Dates, numbers, short texts, selects and relations. Default: those of `bulkEdit`; an empty list: none.',
      }),
      bulkDelete: flag({ help: 'Selected rows can be deleted at once.', default: true }),
      empty: text({ help: 'The sentence of an empty list. Default: "No … yet.", and what to do next.' }),
      emptyActions: list(choice(['add', 'import']), {
        unique: true,
        help: 'What an empty list offers whoever may do it: to add the first record, to import a file. Default: both; an empty list: nothing.',
      }),
    },
  }),
);

export type ListSource = ValueOf<typeof listView>;
