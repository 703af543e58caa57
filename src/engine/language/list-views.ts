/** The layouts of a list besides its grid: cards, board, calendar, timeline and gallery. */

import { union, list, part, template, text } from './key';
import { condition, fieldName, fieldPath, iconName, requestName, refer } from './names';
import { actionName } from './row-actions';

/** The lines of a card, in lists and on boards. */
const cardLines = list(
  union(
    [
      fieldPath(),
      part({
        required: ['field'],
        keys: {
          field: fieldPath({ help: 'The field, or a path through relations.' }),
          icon: iconName({ help: 'The name of an icon.' }),
        },
      }),
    ],
    { help: 'A field, or an object with an icon before it.' },
  ),
  { label: 'Lines', input: 'cardLines', identity: 'field', help: 'Fields below the title.' },
);

export const card = part({
  onRemoval: 'leaveEmpty',
  help: 'A record as a card. Phones show cards always.',
  keys: {
    title: template({ label: 'Title', help: "A template over the record's fields. Default: the record's title." }),
    subtitle: template({ label: 'Subtitle', help: "A template over the record's fields and embeds." }),
    mark: refer(
      text({
        label: 'Mark',
        input: 'text',
        help: 'Shown at its left: `initials` of the title, an icon field, a path to one (`type.icon`), or `none`: then the id is shown above the title.',
        default: 'initials',
      }),
      'path',
      { words: ['initials', 'none'] },
    ),
    key: fieldName({
      label: 'Key above the title',
      fallback: 'The id',
      help: 'With the mark `none`: the field that is shown above the title instead of the id, such as a sequence.',
    }),
    marks: list(fieldPath({ help: 'A field, or a path through relations.' }), {
      label: 'Side by side below the title',
      help: 'Fields, or paths through relations, side by side below the title.',
    }),
    person: fieldName({
      label: 'Person',
      options: 'relations',
      help: 'A relation shown as a person at the end of the lines.',
    }),
    lines: cardLines,
    counts: list(
      part({
        title: 'field',
        help: 'A count.',
        required: ['field', 'one', 'many'],
        keys: {
          field: fieldName({ label: 'Counts the', options: 'counted', help: 'An inverse or relations field.' }),
          action: actionName({
            label: 'A click takes the action',
            options: 'rowActions',
            help: 'The row action that a click on it takes.',
          }),
          one: text({ label: 'One is called', begin: 'record', help: 'The singular: "project".' }),
          many: text({ label: 'Several are called', begin: 'records', help: 'The plural: "projects".' }),
        },
      }),
      { label: 'Counts', identity: 'field', help: 'Counts of related records at its foot.' },
    ),
    menu: list(actionName(), {
      label: 'Menu',
      options: 'rowActions',
      unique: true,
      help: 'Row actions in its menu.',
      default: ['edit', 'delete'],
    }),
  },
});

export const kanban = part({
  label: 'The list has a board',
  word: 'board',
  lacks: 'A board needs a select or a relation as its columns.',
  help: 'The list as a board: a column for each choice of a relation, or for each option of a select. A card can be moved where the transitions of the field allow it.',
  required: ['column'],
  keys: {
    label: text({ label: 'Label of the view', help: 'The label of the view.', default: 'Kanban Board' }),
    column: fieldName({
      label: 'Columns',
      options: 'ownStates',
      help: 'A relation, whose choices are the columns, or a select, whose options are.',
    }),
    request: requestName({
      label: 'A move makes',
      help: "The request that a move makes; it sets the column's field. Default: a move edits the field, and asks for what its transition needs.",
    }),
    field: fieldName({
      label: 'A move asks for',
      applies: { request: true },
      listedIn: ['sets', 'asks'],
      onRemoval: 'removeHolder',
      help: 'The field of the request that a move asks for: a comment. Default: none.',
    }),
    order: fieldName({
      label: 'Ordered by hand in',
      options: 'places',
      help: 'A secret number, in which the board keeps the places of its cards: they can be put in order by hand within a column, for everybody. Cards without a place come after them, in the order of the list. Default: all are in the order of the list.',
    }),
    sum: fieldName({
      label: 'Sum of a column',
      options: 'summable',
      help: 'A number or an amount of money: each column shows the sum of its records beside their count.',
    }),
    lines: cardLines,
    priority: fieldName({ label: 'Mark', options: 'relations', help: 'A relation shown as a mark.' }),
    person: fieldName({ label: 'Person', options: 'relations', help: 'A relation shown as a person.' }),
    due: fieldName({ label: 'Due', options: 'dates', help: 'The date that a record is due.' }),
    overdue: fieldName({
      label: 'Marked as late by',
      options: 'booleans',
      help: 'A boolean field: the date was missed.',
    }),
    counts: list(fieldName(), {
      label: 'Counts',
      options: 'referrers',
      unique: true,
      help: 'Inverse fields with counts at the bottom of the card.',
      default: [],
    }),
    menu: list(actionName(), {
      label: 'Menu',
      options: 'rowActions',
      unique: true,
      help: "Row actions in the card's menu.",
      default: ['edit', 'delete'],
    }),
  },
});

export const calendar = part({
  label: 'The list has a calendar',
  lacks: 'A calendar needs a date or a time.',
  help: 'The list as a calendar: each record as a bar over its days, in months or weeks. Bars are moved, and their ends changed, by users who may write these fields.',
  required: ['start'],
  keys: {
    label: text({ label: 'Label of the view', help: 'The label of the view.', default: 'Calendar' }),
    start: fieldName({ label: 'First day', options: 'dates', help: 'A date or time: the first day of a record.' }),
    end: fieldName({
      label: 'Last day',
      options: 'dates',
      help: 'A date or time: its last day. Records without one take a single day. Default: none.',
    }),
    title: template({
      label: 'Title of a bar',
      help: "What a bar says: a template over the record's fields and embeds. Default: the record's title.",
    }),
    colour: fieldName({
      label: 'Colour',
      options: 'states',
      help: 'A select, or a relation to records with tones: the colour of the bars.',
    }),
    person: fieldName({
      label: 'Person',
      options: 'relations',
      help: 'A relation shown as a person at the end of a bar.',
    }),
    done: condition({
      label: 'Done',
      help: 'Records that are done: their bars are neutral, with a check. Default: none.',
    }),
  },
});

export const timeline = part({
  label: 'The list has a timeline',
  lacks: 'A timeline needs two dates or times.',
  help: 'The list as a timeline: a row for each record that lies in the shown weeks, with a bar from its first to its last day. Bars are moved as in a calendar.',
  required: ['start', 'end'],
  keys: {
    label: text({ label: 'Label of the view', help: 'The label of the view.', default: 'Timeline' }),
    start: fieldName({ label: 'First day', options: 'dates', help: 'A date or time: the first day of a record.' }),
    end: fieldName({ label: 'Last day', options: 'dates', help: 'A date or time: its last day.' }),
    title: template({
      label: 'Title of a row',
      help: "What a row says: a template over the record's fields and embeds. Default: the record's title.",
    }),
    colour: fieldName({
      label: 'Colour',
      options: 'states',
      help: 'A select, or a relation to records with tones: the colour of the bars.',
    }),
    group: fieldName({
      label: 'Headings',
      options: 'states',
      help: 'A relation or select: rows with the same value are below a heading. Default: no headings.',
    }),
    done: condition({
      label: 'Done',
      help: 'Records that are done: their bars are neutral, with a check. Default: none.',
    }),
  },
});

export const gallery = part({
  label: 'The list has a gallery',
  help: 'The list as pictures: a card for each record, with its picture, its title and a few values. It has pages as the list has, and its cards are selected as rows are.',
  keys: {
    label: text({ label: 'Label of the view', help: 'The label of the view.', default: 'Gallery' }),
    image: fieldName({
      label: 'Picture',
      options: 'images',
      begin: true,
      help: 'An image field. Cards without a picture show the icon of the module. Default: none.',
    }),
    title: template({
      label: 'Title of a card',
      help: "What a card says: a template over the record's fields and embeds. Default: the record's title.",
    }),
    fields: list(fieldPath({ help: 'A field, or a path through relations.' }), {
      label: 'Values',
      unique: true,
      help: 'Fields, or paths through relations, below the title.',
      default: [],
    }),
    menu: list(actionName(), {
      label: 'Menu',
      options: 'rowActions',
      unique: true,
      help: "Row actions in the card's menu.",
      default: ['edit', 'delete'],
    }),
  },
});
