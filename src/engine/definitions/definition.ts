/**
 * The normalised definition: what a file in `resources/` becomes once every default is filled in.
 * It is plain JSON (the browser receives it as it is), frozen, and never changed after normalising.
 */

/** What a grant may name. */
export const actions = ['list', 'view', 'create', 'edit', 'delete'] as const;
export type Action = (typeof actions)[number];

/** A role's power: 1 administers the installation, 2 owns a company, 6 is an external user. */
export type Level = 1 | 2 | 3 | 4 | 5 | 6;
export const levels: readonly Level[] = [1, 2, 3, 4, 5, 6];

/** Where records live: with the installation, with one company, with either, or the record is the company itself. */
export type Scope = 'installation' | 'company' | 'both' | 'self';

export const fieldTypeNames = [
  'text',
  'textarea',
  'richText',
  'number',
  'boolean',
  'date',
  'time',
  'datetime',
  'email',
  'url',
  'phone',
  'password',
  'select',
  'icon',
  'relation',
  'relations',
  'inverse',
  'json',
  'permissions',
  'image',
  'duration',
  'shareLink',
] as const;
export type FieldTypeName = (typeof fieldTypeNames)[number];

/** A predicate as data, in the one condition grammar (see `conditions/grammar.ts`). */
export interface Condition {
  readonly [key: string]: unknown;
}

/** One of the fixed values of a `select` field. */
export interface Option {
  readonly value: string | number;
  readonly label: string;
  readonly tone?: Tone;
}

/** The meanings that colour may carry; the theme holds their colours. */
export const tones = ['urgent', 'high', 'medium', 'low', 'neutral', 'info', 'violet', 'teal'] as const;
export type Tone = (typeof tones)[number];

export interface Field {
  readonly name: string;
  readonly type: FieldTypeName;
  readonly label: string;
  /** One sentence under the input. */
  readonly help?: string;
  readonly placeholder?: string;
  /** What lists and cards say where there is no value. */
  readonly empty?: string;
  /** The API insists on a value. */
  readonly required: boolean;
  /** The form insists (always true where `required` is). */
  readonly requiredInForm: boolean;
  /** Insisted on wherever this holds for the record as it would be stored. */
  readonly requiredWhen?: Condition;
  /** Nobody writes it: values sent by clients are ignored. */
  readonly readOnly: boolean;
  readonly readOnlyWhen?: Condition;
  /** Shown in the form only where this holds; a hidden field is never required. */
  readonly visible?: Condition;
  /** A value, or `$actor.…`, `$today`, `$now`. */
  readonly default?: unknown;
  /** No second record of the company (or of the installation) holds the same value, in any case of letters. */
  readonly unique?: 'company' | 'installation';
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly min?: number;
  readonly max?: number;
  /** Whole numbers only. */
  readonly integer: boolean;
  readonly pattern?: string;
  readonly patternMessage?: string;
  /** A date or number of this record that this one may not lie before (an end after its start). */
  readonly notBefore?: string;
  /** A date, time or number of this record that this one must lie after. */
  readonly after?: string;
  /** date: the latest day allowed. */
  readonly notAfter?: '$today';
  /** time: the date field whose day it is a time of; answered with that day before it. */
  readonly on?: string;
  /** duration: the times between which it lies. */
  readonly span?: { readonly from: string; readonly to: string };
  /** shareLink: the application's path before the link's token. */
  readonly path?: string;
  /** shareLink: the fields that a visitor reads, beside the record's title. */
  readonly shares: readonly string[];
  readonly options?: readonly Option[];
  /** relation, relations: the resource it points to. */
  readonly to?: string;
  /** relation, relations: the name under which the related record stands in answers. */
  readonly embed?: string;
  /** What the embed carries besides id and title. */
  readonly embedFields: readonly string[];
  /** relation, relations: which targets may be chosen; keys are fields or parameters of the target. */
  readonly choices?: Condition;
  /** relation: what happens to this record when its target goes. */
  readonly onDelete: 'restrict' | 'cascade' | 'clear';
  /** relation: the record lives within its target, and is hidden while that is archived. */
  readonly within: boolean;
  /** relation to its own resource: how many records may stand above one another (2: parent and child). */
  readonly maxDepth?: number;
  /** inverse: the relation on the other side. */
  readonly inverse?: { readonly resource: string; readonly field: string };
  /** inverse, relations: what lists carry of it. Single records always carry the records. */
  readonly inLists: 'count' | 'records' | 'nothing';
  /** inverse: the name of the count in lists. */
  readonly countAs: string;
  /** inverse: the number or duration of its records that lists carry the sum of, and the sum's name in them. */
  readonly sum?: { readonly field: string; readonly name: string };
  /** inverse: what its records carry besides id and title. */
  readonly show: readonly string[];
  /** Derived at reading, never stored: a condition (boolean) or a template such as `{first_name} {last_name}` (text). */
  readonly computed?: Condition | string;
  /** The field's former name: sync renames the column instead of adding one. */
  readonly was?: string;
  /** Made by the engine (id, stamps, company, archive). */
  readonly system: boolean;
  /** Never leaves the server, not even in the history. */
  readonly secret: boolean;
  /** Stored by the server's own rooms, not in the resource's table. */
  readonly virtual: boolean;
  /** Part of the search over all text (`q`). */
  readonly searchable: boolean;
  readonly sortable: boolean;
  readonly filterable: boolean;
  /** The share of the form's row. */
  readonly width: 'full' | 'half' | 'quarter';
  /** textarea, richText: visible lines. */
  readonly lines?: number;
  /** number: digits behind the point that are shown. */
  readonly digits?: number;
  /** number: whether commas stand between thousands; false for numbers that name something, such as years. */
  readonly separators?: boolean;
}

/** How records of a resource show wherever they are named: in cells, cards, selects and filters. */
export interface Chip {
  /** `dot`: a tinted chip with a dot · `ring`: a progress ring with text · `mark`: an icon with text · `avatar`: initials. */
  readonly shape: 'dot' | 'ring' | 'mark' | 'avatar';
  /** id → tone. Ids without one are neutral. */
  readonly tones: Readonly<Record<string, Tone>>;
  /** ring: id → how far (0 to 1), or `stopped`. mark: id → icon name. */
  readonly marks: Readonly<Record<string, number | string>>;
}

export interface Column {
  /** A field, or a path through a relation's embed (`user.email`): shown, not sorted by. */
  readonly field: string;
  readonly label: string;
  /** Shown until the user says otherwise. */
  readonly visible: boolean;
  /** Cannot be switched off. */
  readonly fixed: boolean;
  readonly width?: number;
}

export interface Filter {
  readonly name: string;
  /** The field, or the parameter, that it sets. */
  readonly field: string;
  readonly label: string;
  readonly many: boolean;
  readonly range: boolean;
  /** The chip's text when every choice is taken. */
  readonly allLabel?: string;
  /** Narrows the choices by other filters: `{ "project_id": "$form.project_id" }`. */
  readonly choices?: Condition;
}

/**
 * Something a user may do with a row: `edit`, `view`, `delete`, `unarchive`, `copy`, one of the definition's requests,
 * going somewhere with a filter, or opening the form of a new record of another resource.
 */
export interface RowAction {
  readonly name: string;
  readonly label: string;
  readonly icon: string;
  readonly visible?: Condition;
  readonly goTo?: { readonly resource: string; readonly filter: Readonly<Record<string, unknown>> };
  /** A dialog with the form of a new record and these values in it; `$record.…` is of the row. */
  readonly opens?: { readonly resource: string; readonly values: Readonly<Record<string, unknown>> };
  /** The name of a request. */
  readonly request?: string;
  readonly calls?: Call;
  /** On cards and on the record's form, offered only where this holds. */
  readonly visibleOnRecord?: Condition;
}

/** A call that the server answers with more than the record: for whoever may do `needs` with it. */
export interface Call {
  /** Follows `/api/`; `{id}` is the record's id. */
  readonly path: string;
  /** What is sent; `$record.…` is of the record. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly needs: 'view' | 'edit';
  /** Said after a success; without it the answer's own message is. */
  readonly toast?: string;
  /** The answer is a page to look at: its properties that hold title, HTML and plain text. */
  readonly shows?: { readonly title: string; readonly html: string; readonly text: string };
}

/** A part of a list behind a tab of its own. */
export interface ListTab {
  readonly name: string;
  /** `{total}` is the number of its records under the other filters in force. */
  readonly label: string;
  /** Query names (fields or parameters) and their values. */
  readonly filter: Readonly<Record<string, unknown>>;
  /** The file that its download is called. */
  readonly export: string;
  /** Shown only while the address names it. */
  readonly linkOnly: boolean;
}

/** Records in columns by the value of a field, moved between them by a request. */
export interface Kanban {
  readonly label: string;
  /** A relation: its choices are the columns. */
  readonly column: string;
  /** The request that a move makes: it sets the column's field, and asks for `field`. */
  readonly request: string;
  readonly field: string;
  /** Fields, or paths through an embed. */
  readonly lines: readonly { readonly field: string; readonly icon?: string }[];
  /** Relations shown as a mark and as a person. */
  readonly priority?: string;
  readonly person?: string;
  /** A date, and the boolean field that says whether it was missed. */
  readonly due?: string;
  readonly late?: string;
  /** Inverse fields whose counts stand at the card's foot. */
  readonly counts: readonly string[];
  readonly menu: readonly string[];
}

export interface Card {
  readonly title: string;
  readonly subtitle?: string;
  /** `initials` of the title, an icon field, a path to one through an embed (`type.icon`), or `none`: the number then stands above the title. */
  readonly mark: string;
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

export interface ListDefinition {
  readonly columns: readonly Column[];
  readonly rowClick: 'edit' | 'view' | 'none';
  readonly sort: { readonly field: string; readonly order: 'ASC' | 'DESC' };
  /** Fields offered by the sort select; empty: no select. */
  readonly sortChoices: readonly string[];
  readonly filters: readonly Filter[];
  readonly views: readonly ('list' | 'cards' | 'kanban')[];
  readonly card?: Card;
  readonly kanban?: Kanban;
  /** Tabs above the list; empty: none. */
  readonly tabs: readonly ListTab[];
  readonly actions: readonly RowAction[];
  /** Width of the column of row actions, in pixels. */
  readonly actionsWidth?: number;
  /** The user may choose columns; kept per user. */
  readonly chooseColumns: boolean;
  readonly search: boolean;
  /** Marks rows: tinted at their edge, and in a word, since colour is never the only sign. */
  readonly highlight?: { readonly when: Condition; readonly tone: Tone; readonly label: string };
  /** Fields that may be set on many rows at once. */
  readonly bulkEdit: readonly string[];
  readonly bulkDelete: boolean;
  /** Sentence of the empty state. */
  readonly empty: string;
}

export interface Section {
  readonly label: string;
  readonly description?: string;
  readonly fields: readonly string[];
}

/** A list of related records behind a tab of the form; shown once the record exists. */
export interface FormTab {
  readonly name: string;
  readonly label: string;
  /** The resource listed. */
  readonly list: string;
  /** Query names and values of the list, and values of a record added there; `$record.…` is of the form's record. */
  readonly query: Readonly<Record<string, unknown>>;
  /** Further values of a record added there. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly visible?: Condition;
}

export interface FormDefinition {
  readonly sections: readonly Section[];
  /** A dialog without a route of its own, this wide. */
  readonly dialog?: { readonly width: number | string };
  /** Added within another record's tab, the form opens in a popup this wide. */
  readonly popup?: { readonly width: number | string };
  /** Lists of related records beside the form. */
  readonly tabs: readonly FormTab[];
  /** Where saving leads: the first whose condition holds; else the list. */
  readonly redirects: readonly {
    readonly after: 'create' | 'edit' | 'both';
    readonly when?: Condition;
    readonly to: string;
  }[];
}

export interface Titles {
  readonly list: string;
  readonly create: string;
  readonly edit: string;
  readonly copy: string;
  readonly view: string;
  readonly add: string;
}

/** Narrows a grant for some levels and actions. */
export interface Rule {
  readonly levels: readonly Level[];
  readonly actions: readonly Action[];
  readonly where?: Condition;
  readonly fields?: readonly string[];
  readonly except?: readonly string[];
  /** Says in words what the rule allows; shown with a refusal. */
  readonly reason: string;
}

/** A query name that is not a field. */
export interface Parameter {
  /** `value`: any; `flag`: 1 applies `where`, 0 its opposite; `span`: `A` or `A`T`B`; `month`: `YYYY-MM`; `named`: one of some names; `unlimited`: lifts the limit. */
  readonly kind: 'value' | 'flag' | 'span' | 'month' | 'unlimited' | 'named';
  /** named: what each value means. */
  readonly named?: Readonly<Record<string, Condition>>;
  /** Stands for this field. */
  readonly field?: string;
  /** With `$value` (or `$from`, `$to`) where the query's value belongs. */
  readonly where?: Condition;
  /** month: what a download asked for with it is called; `{value}` is the month. */
  readonly export?: string;
  /** The label of a filter on it, and the resource its value is an id of. */
  readonly label?: string;
  readonly to?: string;
}

/**
 * A request of its own on a record: `PATCH /api/{path}` changes some fields and adds a related record in one
 * transaction. In the application a row action and a button of the form, which open a dialog.
 */
export interface RequestDefinition {
  readonly name: string;
  readonly label: string;
  readonly icon: string;
  /** Of the dialog; `{total}` is the number of records in `list`. */
  readonly title: string;
  /** The path with `{id}`, such as `task/{id}`. */
  readonly path: string;
  readonly width: number | string;
  readonly toast: string;
  /** Fields of the record that it changes, under the grant `edit` and its rules. */
  readonly sets: readonly string[];
  /** The record that it makes: the named fields, related to this one; `edit` on this one is enough. */
  readonly adds: { readonly resource: string; readonly relation: string; readonly fields: readonly string[] } | null;
  /** Names that must be sent with a value, unless they are hidden. */
  readonly required: readonly string[];
  /** Names that may be sent and mean nothing. */
  readonly ignored: readonly string[];
  /** Where a name is shown; a hidden one is never required, and refused where it differs. */
  readonly visible: Readonly<Record<string, Condition>>;
  /** Records shown beside the dialog's form. */
  readonly list: { readonly resource: string; readonly query: Readonly<Record<string, unknown>> } | null;
}

/** A field that a spreadsheet may fill. */
export interface ImportColumn {
  readonly field: string;
  /** Headings that mean it, besides its name, label and embed. */
  readonly synonyms: readonly string[];
  /** What other programs write → what is meant here: a title or a label. */
  readonly values: Readonly<Record<string, string>>;
}

/** Records out of a spreadsheet: `POST /api/{name}/import`. */
export interface ImportDefinition {
  /** Place of the tab among those of other resources: smaller stands further left. */
  readonly order: number;
  /** The relation that the form asks for and every record gets. */
  readonly ask: string | null;
  readonly columns: readonly ImportColumn[];
  /** Relations that one column may fill at once, as in `Payments / Refunds`. */
  readonly paths: readonly (readonly string[])[];
  /** Fields that go on in the rows below a record's first, and are joined. */
  readonly steps: readonly string[];
  /** Headings of a column that marks the rows of one record. */
  readonly key: readonly string[];
  /** Headings of a column that numbers the steps of a record, and says nothing else. */
  readonly numbers: readonly string[];
  /** Programs known by their headings; what they mean by them comes before the synonyms. */
  readonly tools: readonly ImportTool[];
}

/** A program whose files are known by their headings. */
export interface ImportTool {
  readonly name: string;
  /** The headings that all have to be there. */
  readonly when: readonly string[];
  /** Heading → field, or null for a column to leave out. */
  readonly columns: Readonly<Record<string, string | null>>;
  /** Field → what it writes → what is meant here; before the column's own values. */
  readonly values: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Heading → values of rows that hold no record. */
  readonly skip: Readonly<Record<string, readonly string[]>>;
}

/** Making a record from another one. */
export interface Copy {
  /** Put behind the text of `field`. */
  readonly suffix: string;
  readonly field: string;
  /** The relation to its own resource that remembers the original. */
  readonly keeps?: string;
  /** Fields that a copy begins without, or with their default. */
  readonly resets: readonly string[];
}

export interface Definition {
  readonly name: string;
  readonly table: string;
  readonly was?: string;
  readonly labels: { readonly one: string; readonly many: string };
  readonly description?: string;
  readonly titles: Titles;
  readonly scope: Scope;
  /** The property that wraps answers, if any. */
  readonly envelope: 'data' | null;
  /** A template over the record's fields: what a record is called. */
  readonly recordTitle: string;
  /** The field that the title is read from, sorted by, and carried in embeds. */
  readonly titleField: string;
  readonly fields: Readonly<Record<string, Field>>;
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly chip?: Chip;
  readonly menu: { readonly group: string; readonly icon: string; readonly order: number } | null;
  readonly list: ListDefinition;
  readonly form: FormDefinition;
  /** Requests of their own on a record, by name. */
  readonly requests: Readonly<Record<string, RequestDefinition>>;
  readonly copy: Copy | null;
  /** How its records are told apart where they are chosen: fields shown beside the title, of alike titles or of all. */
  readonly choices: { readonly detail: readonly string[]; readonly always: boolean };
  /** The spreadsheet of a list: `GET /api/{path}`, what its file is called, and columns that it has besides those shown. */
  readonly export: { readonly path: string; readonly file: string; readonly columns: readonly string[] } | null;
  readonly import: ImportDefinition | null;
  readonly toasts: {
    readonly copied: string;
    readonly created: string;
    readonly updated: string;
    readonly deleted: string;
    readonly restored: string;
  };
  /** `keep`: a deleted record leaves lists and lookups, but stays stored for the names that others show. */
  readonly delete: {
    readonly confirm: string;
    readonly when: readonly { readonly if: Condition; readonly confirm: string }[];
    readonly keep: boolean;
  };
  /** Records are archived instead of removed; `cascade` names relations (`resource.field`) archived along. */
  readonly archive: { readonly confirmRestore: string; readonly cascade: readonly string[] } | null;
  readonly rules: readonly Rule[];
  /** What the six levels hold when the module is new. */
  readonly grants: Readonly<Record<Level, readonly Action[]>>;
  readonly hooks: Readonly<Partial<Record<HookEvent, readonly string[]>>>;
  /** Rows that come with the program: a file in `resources/rows/`, protected from deletion unless said otherwise. */
  readonly rows: { readonly file: string; readonly protected: boolean } | null;
  /** Indexes besides those that relations, search and the default order bring along: lists of fields. */
  readonly indexes: readonly (readonly string[])[];
  /** Every change is kept. */
  readonly history: boolean;
  /** The program itself writes the records and keeps their table; grants follow the levels alone. */
  readonly system: boolean;
}

export const hookEvents = [
  'beforeValidate',
  'beforeSave',
  'afterSave',
  'beforeDelete',
  'afterDelete',
  'afterRead',
] as const;
export type HookEvent = (typeof hookEvents)[number];

/** A stored or answered record: field names to values. */
export type ResourceRecord = Record<string, unknown>;
