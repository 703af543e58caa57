/** The types of the generic list in a definition: columns, filters, row actions, tabs, views and charts. */

import type { Action } from './action';
import type { Condition, ResourceRecord, Tone } from './field';
import type { Audience } from './level';

export interface Column {
  /** A field, or a path through a relation's embed (`user.email`). */
  readonly field: string;
  readonly label: string;
  /** Visible by default. */
  readonly visible: boolean;
  /** Cannot be switched off. */
  readonly fixed: boolean;
  readonly width?: number;
  /** Columns with higher numbers leave a narrow grid first. */
  readonly priority?: number;
  /** Fields, or paths through embeds, in a second line. */
  readonly secondLine?: readonly string[];
  /** Number fields that are shown as a bar instead of the value. */
  readonly parts?: readonly ColumnPart[];
}

/** A part of a column that is shown as a bar. */
export interface ColumnPart {
  readonly field: string;
  /** Default: neutral. */
  readonly tone?: Tone;
  readonly icon?: string;
  /** It is the remainder, which does not count as done. */
  readonly isRemainder?: boolean;
}

export interface Filter {
  readonly name: string;
  /** The field, or the parameter, that it sets. */
  readonly field: string;
  readonly label: string;
  readonly multiple: boolean;
  readonly range: boolean;
  /** The text of the chip when every choice is selected. */
  readonly allLabel?: string;
  /** Narrows the choices by other filters: `{ "project_id": "$form.project_id" }`. */
  readonly choices?: Condition;
}

/**
 * An action for a row: `edit`, `view`, `delete`, `unarchive`, `copy`, one of the definition's requests, going to
 * another list with a filter, or opening the form of a new record of another resource.
 */
export interface RowAction extends Audience {
  readonly name: string;
  readonly label: string;
  readonly icon: string;
  readonly visible?: Condition;
  readonly goTo?: { readonly resource: string; readonly filter: Readonly<Record<string, unknown>> };
  /** The path of a screen of the product; `{field}` stands for a value of the row. */
  readonly screen?: string;
  /** A dialog with the form of a new record and these values in it; `$record.…` is of the row. */
  readonly opens?: {
    readonly resource: string;
    readonly values: Readonly<Record<string, unknown>>;
    /** Values that the user can change. */
    readonly initial: Readonly<Record<string, unknown>>;
  };
  /** The name of a request. */
  readonly request?: string;
  readonly calls?: RowActionCall;
  /** On cards and on the record's form, offered only if this matches. */
  readonly visibleOnRecord?: Condition;
}

/** A call with its own response, for users who have the permission `permission` on the record. */
export interface RowActionCall {
  /** Follows `/api/`; `{id}` is the record's id. */
  readonly path: string;
  /** The request body; `$record.…` refers to the record. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly permission: 'view' | 'edit';
  /** Grants that it needs besides. */
  readonly grants?: readonly { readonly resource: string; readonly action: Action }[];
  /** A question asked before. */
  readonly confirm?: string;
  /** The property of the body with the ids of records: it can be made on several at once. */
  readonly idsProperty?: string;
  /** Message after success, a template over the response's `data`; default: the message in the response. */
  readonly toast?: string;
  /** The response is shown in a dialog; a secret above the form, where that is a panel at the side. */
  readonly shows?: ShownAnswer;
  /** Also made, without its question, as soon as a record was added in the panel at the side. */
  readonly afterCreate?: boolean;
}

/** The names of a response's properties: of a page's HTML, or of a secret that is shown once. */
export interface ShownAnswer {
  readonly title: string;
  /** Of a page: its plain text; beside a secret: what to do with it. */
  readonly text: string;
  readonly html?: string;
  readonly secret?: string;
}

/** A part of a list in its own tab. */
export interface ListTab {
  readonly name: string;
  /** `{total}` is the number of its records under the other filters in force. */
  readonly label: string;
  /** Query names (fields or parameters) and their values. */
  readonly filter: Readonly<Record<string, unknown>>;
  /** The file name of its download. */
  readonly export: string;
  /** Shown only while the address names it. */
  readonly linkOnly: boolean;
}

/** A view that the list comes with; as a saved one keeps it. */
export interface DefinedView {
  readonly name: string;
  readonly label: string;
  readonly settings: ViewSettings;
}

/** The figures that a list can show for all values of a column together. */
export type TotalFunction = 'sum' | 'avg' | 'min' | 'max' | 'count';

/** The settings of a list that a saved view keeps. A missing setting is as the definition has it. */
export interface ViewSettings {
  /** As in the API: fields, `x_from` and `x_to`, parameters, `archive`. */
  readonly filters?: Readonly<ResourceRecord>;
  /** A field, with `-` descending. */
  readonly sort?: string;
  /** The visible columns in order; widths in pixels. */
  readonly columns?: readonly { readonly field: string; readonly width?: number }[];
  readonly view?: string;
  readonly tab?: string;
  /** A field, or a date with its period: `close_on:month`; null: not grouped. */
  readonly group?: string | null;
  /** The groups that are closed, by their keys (`groupKeyOf`). */
  readonly closed?: readonly string[];
  /** Totals of columns, by field. */
  readonly totals?: Readonly<Record<string, TotalFunction>>;
  /** How many rows a page has, one of `pageSizes`; default: 15. */
  readonly rows?: number;
}

/** A figure about the records of a list. */
export interface Chart {
  readonly name: string;
  readonly label: string;
  readonly kind: 'bar' | 'line' | 'doughnut' | 'number';
  /** The field whose values are the chart's labels; a number has none. */
  readonly group?: string;
  /** The periods of a group by dates. */
  readonly step?: 'day' | 'week' | 'month';
  /** A second field, whose values are the chart's series. */
  readonly series?: string;
  /** The figure that is taken of the records of a group: how many there are, or the sum or average of a field. */
  readonly take: 'count' | { readonly of: 'sum' | 'avg'; readonly field: string };
  /** Only these records. */
  readonly where?: Condition;
}

/** Records in columns by the value of a field, moved between them by a request. */
export interface Kanban {
  readonly label: string;
  /** A relation, whose choices are the columns, or a select, whose options are. */
  readonly column: string;
  /** The request for a move: it sets the column's field and asks for `field`. Without one a move edits the field. */
  readonly request?: string;
  readonly field?: string;
  /** Fields, or paths through an embed. */
  readonly lines: readonly { readonly field: string; readonly icon?: string }[];
  /** Relations shown as a mark and as a person. */
  readonly priority?: string;
  readonly person?: string;
  /** A date, and the boolean field that tells whether it was missed. */
  readonly due?: string;
  readonly overdue?: string;
  /** A secret number: the place of a card within its column. Undefined: cards are in the order of the list. */
  readonly order?: string;
  /** A number or amount whose sum each column shows. */
  readonly sum?: string;
  /** Inverse fields with counts at the bottom of the card. */
  readonly counts: readonly string[];
  readonly menu: readonly string[];
}

/** Records as bars over their days: a calendar or a timeline. */
export interface DaysView {
  readonly label: string;
  /** Dates or times: the first and the last day. Without an end a record takes a single day. */
  readonly start: string;
  readonly end?: string;
  /** A template. Without one the record's title is shown. */
  readonly title?: string;
  /** A select, or a relation to records with tones. */
  readonly colour?: string;
  /** Of a calendar: a relation shown as a person at the end of a bar. */
  readonly person?: string;
  /** Of a timeline: the relation or select whose values are headings. */
  readonly group?: string;
  readonly done?: Condition;
}

/** Records as pictures. */
export interface Gallery {
  readonly label: string;
  /** An image field. */
  readonly image?: string;
  /** A template. Without one the record's title is shown. */
  readonly title?: string;
  /** Fields, or paths through an embed: below the title. */
  readonly fields: readonly string[];
  readonly menu: readonly string[];
}

/** The layouts that every list can have. */
export const builtInViews = ['list', 'cards', 'kanban', 'calendar', 'timeline', 'gallery'] as const;
export type BuiltInView = (typeof builtInViews)[number];

/** How a list is shown: a built-in layout, or one that the product registers. The name of such a one has a hyphen. */
export type ListView = BuiltInView | `${string}-${string}`;

export interface Card {
  readonly title: string;
  readonly subtitle?: string;
  /**
   * `initials` of the title, an icon field, a path to one through an embed (`type.icon`), or `none`: then the id is
   * shown above the title.
   */
  readonly mark: string;
  /** The field that is shown above the title instead of the id. */
  readonly key?: string;
  /** Fields, or paths through an embed: side by side below the title. */
  readonly marks: readonly string[];
  /** Fields, or paths through an embed. */
  readonly lines: readonly { readonly field: string; readonly icon?: string }[];
  /** A relation shown as a person at the end of the lines. */
  readonly person?: string;
  /** Counts at the card's foot: inverse fields. */
  readonly counts: readonly {
    readonly field: string;
    readonly action?: string;
    readonly one: string;
    readonly many: string;
  }[];
  readonly menu: readonly string[];
}

/** Rows that stand out. */
export interface Highlight {
  readonly where: Condition;
  readonly tone: Tone;
  readonly label: string;
  /** The date field whose column says how late the record is, in place of the label. */
  readonly lateSince?: string;
}

/** The actions that an empty list offers. */
export type EmptyAction = 'add' | 'import';

/** The picture of an empty list, in place of rows under a lens. */
export type EmptyPicture = 'checklist' | 'run' | 'target' | 'clock' | 'pipeline';

export interface ListDefinition {
  readonly columns: readonly Column[];
  readonly rowClick: 'page' | 'edit' | 'view' | 'screen' | 'none';
  readonly sort: { readonly field: string; readonly order: 'ASC' | 'DESC' };
  /** Fields in the sort select; empty: no select. */
  readonly sortChoices: readonly string[];
  readonly filters: readonly Filter[];
  readonly views: readonly ListView[];
  readonly card?: Card;
  readonly kanban?: Kanban;
  /** Its first grouping, and the fields by which users can group it; undefined: all that can be grouped. */
  readonly group?: { readonly field?: string; readonly fields?: readonly string[] };
  /** Totals of columns, by field. */
  readonly totals?: Readonly<Record<string, TotalFunction>>;
  readonly calendar?: DaysView;
  readonly timeline?: DaysView;
  readonly gallery?: Gallery;
  /**
   * The relations to the records of a tree that is shown beside the list: a record is in the branch that the first of
   * them with a value names.
   */
  readonly tree?: readonly string[];
  /** Tabs above the list; empty: none. */
  readonly tabs: readonly ListTab[];
  /** Views that it comes with; empty: none. */
  readonly saved: readonly DefinedView[];
  /** Figures above the list; empty: none. */
  readonly charts: readonly Chart[];
  readonly actions: readonly RowAction[];
  /** Width of the column of row actions, in pixels. */
  readonly actionsWidth?: number;
  /** The user can choose columns; stored per user. */
  readonly chooseColumns: boolean;
  readonly search: boolean;
  /** Marks rows by the first of these that matches: tinted at their edge, and in a word, since colour is never the only sign. */
  readonly highlight: readonly Highlight[];
  /** Fields that can be set on many rows at once. */
  readonly bulkEdit: readonly string[];
  /** Fields whose cells can be edited in the list. */
  readonly inlineEdit: readonly string[];
  readonly bulkDelete: boolean;
  /** A line below the list adds a record by its title. */
  readonly quickAdd?: boolean;
  /** Sentence of the empty state; undefined: that there is none yet, and what to do next. */
  readonly emptyText?: string;
  /** The empty state offers these to users who may do them. */
  readonly emptyActions: readonly EmptyAction[];
  readonly emptyPicture?: EmptyPicture;
  /** A command to copy; `{origin}` is the address of the program. */
  readonly emptyCommand?: string;
}
