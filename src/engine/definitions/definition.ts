/**
 * The normalised definition: a file in `system/` or `resources/` with every default filled in. It is plain JSON (the browser
 * receives it unchanged), frozen and immutable.
 */

import type { Action } from './action';
import type { Automation } from './automation';
import type { Condition, Field, Tone } from './field';
import type { Audience, Level } from './level';
import type { ListDefinition } from './list';

/** Where records belong: to the installation, to one company, to either, or the record is the company itself. */
export type Scope = 'installation' | 'company' | 'both' | 'self';

export * from './action';
export * from './automation';
export * from './field';
export * from './level';
export * from './list';

/** How records of a resource show wherever they are named: in cells, cards, selects and filters. */
export interface Chip {
  /** `dot`: a tinted chip with a dot · `ring`: a progress ring with text · `mark`: an icon with text · `avatar`: initials. */
  readonly shape: 'dot' | 'ring' | 'mark' | 'avatar';
  /** id → tone. Ids without one are neutral. */
  readonly tones: Readonly<Record<string, Tone>>;
  /** ring: id → how far (0 to 1), or `stopped`. mark: id → icon name. */
  readonly marks: Readonly<Record<string, number | string>>;
}

export interface Section {
  readonly label: string;
  readonly description?: string;
  readonly fields: readonly string[];
  /** It stands beside the others. */
  readonly rail?: boolean;
  /** It is folded as long as its fields have the values of a new record. */
  readonly folded?: boolean;
  /** Its fields that are each behind a button as long as they are empty. */
  readonly onDemand?: readonly string[];
  /** Groups of its fields that say the same in different ways. */
  readonly alternatives?: readonly { readonly label: string; readonly fields: readonly string[] }[];
}

/** A list of related records in a tab of the form; shown once the record exists. */
export interface FormTab {
  readonly name: string;
  readonly label: string;
  /** The resource listed. */
  readonly resource: string;
  /** Query names and values of the list, and values of a record added there; `$record.…` is of the form's record. */
  readonly filter: Readonly<Record<string, unknown>>;
  /** Further values of a record added there. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The name of a component of the product that is shown in place of the list. */
  readonly content?: string;
  readonly visible?: Condition;
  /** A tab of the record's page, and none of its form. */
  readonly pageOnly: boolean;
}

export interface FormDefinition {
  readonly sections: readonly Section[];
  /** Shown over its list as a dialog of this width, or as a panel at its side; undefined: a page. */
  readonly dialog?: {
    readonly width: number | string;
    readonly side: boolean;
    /** By its size, not because the definition says so. */
    readonly bySize?: boolean;
  };
  /** Added within another record's tab, the form opens in a popup this wide. */
  readonly popup?: { readonly width: number | string };
  /** Fields whose values the next new record takes over. */
  readonly keep?: readonly string[];
  /** Tabs with lists of related records. */
  readonly tabs: readonly FormTab[];
  /** Where to go after saving: the first entry with a matching condition, otherwise the list. */
  readonly redirects: readonly {
    readonly mode: 'create' | 'edit' | 'both';
    readonly where?: Condition;
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

/** Narrows a grant for some roles and actions. */
export interface Rule extends Audience {
  readonly actions: readonly Action[];
  readonly where?: Condition;
  readonly fields?: readonly string[];
  readonly exceptFields?: readonly string[];
  /** The permission of the rule as text; shown when an action is refused. */
  readonly reason: string;
}

/** Fields that no two records of a company have the same values of; empty values never collide. */
export interface UniqueRule {
  readonly fields: readonly string[];
  /** Only among records that match. */
  readonly where?: Condition;
  /** The message to the user of a refused record, at the first field. */
  readonly message?: string;
}

/** Spans of time that no two records have in common. */
export interface OverlapRule {
  /** Where a span begins and ends: dates, of which the last one is part of it, or date-times, of which it is not. */
  readonly fields: readonly [from: string, to: string];
  /** Only records with the same values in these collide. */
  readonly partitionBy: readonly string[];
  /** The message to the user of a refused record, at the first field. */
  readonly message?: string;
}

/** A condition that a record must meet before it is stored. */
export interface ValidationRule {
  readonly condition: Condition;
  /** Only for records that match. */
  readonly where?: Condition;
  /** The field that shows the message. */
  readonly field: string;
  readonly message: string;
}

/** A query name that is not a field. */
export interface Parameter {
  /** `value`: any; `flag`: 1 applies `where`, 0 its opposite; `span`: `A` or `A`T`B`; `month`: `YYYY-MM`; `named`: one of some names; `unlimited`: lifts the limit; `tree`: a branch of the tree beside the list. */
  readonly kind: 'value' | 'flag' | 'span' | 'month' | 'unlimited' | 'named' | 'tree';
  /** named: the condition of each value. */
  readonly conditions?: Readonly<Record<string, Condition>>;
  /** The field that it filters by. */
  readonly field?: string;
  /** With `$value` (or `$from`, `$to`) as the placeholder for the query's value. */
  readonly where?: Condition;
  /** month: the file name of a download with this filter; `{value}` is the month. */
  readonly export?: string;
  /** tree: the relations to records of the tree, as `list.tree`. */
  readonly tree?: readonly string[];
  /** The label of a filter on it, and the resource its value is an id of. */
  readonly label?: string;
  readonly resource?: string;
}

/**
 * A request on a record: `PATCH /api/{path}` changes some fields and adds a related record in one transaction. The user
 * interface shows it as a row action and a form button that open a dialog; one that sets fixed values and asks for
 * nothing is made with one click, for several rows too.
 */
export interface RequestDefinition extends Audience {
  readonly name: string;
  readonly label: string;
  readonly icon: string;
  /** Its effect, in few words beside its label; `{field}` stands for a value of the record. */
  readonly effect?: string;
  /** Of the dialog; `{total}` is the number of records in `list`. */
  readonly title: string;
  /** The path with `{id}`, such as `task/{id}`. */
  readonly path: string;
  readonly width: number | string;
  readonly toast: string;
  /** Fields of the record that it changes to what is sent, under the grant `edit` and its rules. */
  readonly sets: readonly string[];
  /** Field → the value that it gets, or a variable such as `$actor.id`. */
  readonly constants: Readonly<Record<string, unknown>>;
  /** Only for records that match. */
  readonly where?: Condition;
  /** Only for records in one of these states of a relation with transitions. */
  readonly from?: { readonly field: string; readonly states: readonly (string | number)[] };
  /** The question before it is made. */
  readonly confirm?: string;
  /** The record that it creates: these fields, related to this record; permission to edit this record is enough. */
  readonly adds: { readonly resource: string; readonly relation: string; readonly fields: readonly string[] } | null;
  /** Names that must be sent with a value, unless they are hidden. */
  readonly required: readonly string[];
  /** Names that can be sent and are ignored. */
  readonly ignoredNames: readonly string[];
  /** When a name is shown; a hidden one is never required, and refused if it differs. */
  readonly visible: Readonly<Record<string, Condition>>;
  /** Records listed beside the dialog's form. */
  readonly list: { readonly resource: string; readonly filter: Readonly<Record<string, unknown>> } | null;
}

/** A field that can be imported from a spreadsheet. */
export interface ImportColumn {
  readonly field: string;
  /** Headings that mean it, besides its name, label and embed. */
  readonly synonyms: readonly string[];
  /** Values of other programs → the title or label used here. */
  readonly values: Readonly<Record<string, string>>;
}

/** Records out of a spreadsheet: `POST /api/{name}/import`. */
export interface ImportDefinition {
  /** Position of the tab among those of other resources: smaller is further left. */
  readonly order: number;
  /** The relation that the form asks for and that every imported record gets. */
  readonly ask: string | null;
  readonly columns: readonly ImportColumn[];
  /** The fields that together find the record of a row, which is changed then; empty: only a Record ID does. */
  readonly match: readonly string[];
  /** Relations whose records are made where none has the name in a file, and the values of these besides the name. */
  readonly creates: Readonly<Record<string, Readonly<Record<string, string | number | boolean>>>>;
  /** Kinds of files that code of the product reads, besides spreadsheets. */
  readonly files: readonly ('xml' | 'json')[];
  /** Relations that one column can fill together, as in `Payments / Refunds`. */
  readonly paths: readonly (readonly string[])[];
  /** Fields whose numbered text can be split, and the column of rows that it fills then. */
  readonly splits: Readonly<Record<string, string>>;
  /** Fields that go on in the rows below a record's first, and are joined. */
  readonly steps: readonly string[];
  /** Headings of a column that marks the rows of one record. */
  readonly key: readonly string[];
  /** Headings of a column that only numbers the steps of a record. */
  readonly numbers: readonly string[];
  /** Programs recognised by their headings; their mapping takes precedence over the synonyms. */
  readonly tools: readonly ImportTool[];
}

/** A program whose files are recognised by their headings. */
export interface ImportTool {
  readonly name: string;
  /** The headings that all have to be there. */
  readonly headings: readonly string[];
  /** Heading → field, or null for a column to leave out. */
  readonly columns: Readonly<Record<string, string | null>>;
  /** Field → value in the file → value used here; takes precedence over the column's own values. */
  readonly values: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Heading → values of rows that contain no record. */
  readonly skip: Readonly<Record<string, readonly string[]>>;
}

/** Making a record from another one. */
export interface CopyDefinition {
  /** Appended to the text of `field`. */
  readonly suffix: string;
  readonly field: string;
  /** The relation to its own resource that remembers the original. */
  readonly originalField?: string;
  /** Fields that are not copied, but reset to their default. */
  readonly resetFields: readonly string[];
}

/** Comments on records: whoever may view a record reads them. */
export interface CommentsDefinition {
  /** The grant that writing needs, besides seeing the record. */
  readonly write: 'view' | 'edit';
  /** Who reads and writes internal comments; without it nobody does. */
  readonly internal?: Audience;
  /** Whether forms show them where there is no room beside them; or else the record's page has them. */
  readonly form: boolean;
  /** Fields that name people who watch a record without having asked for it, besides its author. */
  readonly watchers: readonly string[];
}

/** A part of the text of a record's page. */
export interface PageSection {
  readonly label?: string;
  readonly fields: readonly string[];
}

/** Records of another resource that the stream of a record's page tells of. */
export interface StreamSource {
  readonly name: string;
  readonly label: string;
  /** The resource listed. */
  readonly resource: string;
  /** Query names and values of the list; `$record.…` is of the page's record. */
  readonly filter: Readonly<Record<string, unknown>>;
  /** Its field that says when. */
  readonly time: string;
  /** Its relation that says who. */
  readonly person?: string;
  /** A description of the event, with `{field}`. */
  readonly text: string;
}

/** A tile of a record's page: records of another resource. */
export interface RecordTile {
  readonly name: string;
  readonly label: string;
  /** The resource listed. */
  readonly resource: string;
  /** Query names and values of the list; `$record.…` is of the page's record. */
  readonly filter: Readonly<Record<string, unknown>>;
  /** Its columns; undefined: the first ones of the list. */
  readonly columns?: readonly string[];
  /** A field, with `-` descending; undefined: the order of the list. */
  readonly sort?: string;
  readonly limit: number;
  /** As wide as two. */
  readonly wide: boolean;
  /** In the narrow column at the right, above the properties. */
  readonly beside: boolean;
  /** The component of the product that is shown in place of the records. */
  readonly content?: string;
}

/** The page of a record for reading. */
export interface PageDefinition {
  /** Fields below the title; undefined: those of the rail whose values have a colour or a shape. */
  readonly chips?: readonly string[];
  /** The properties beside the text. */
  readonly rail: readonly string[];
  readonly sections: readonly PageSection[];
  /** Names of the form's tabs, and of fields with the records that point here. */
  readonly related: readonly string[];
  readonly stream: readonly StreamSource[];
  /** The page opens with these; none: with its text. */
  readonly tiles: readonly RecordTile[];
}

/** Its records are times spent on records of another resource, which a timer can take. Names of fields. */
export interface TimerDefinition {
  /** The relation to what the time is spent on. */
  readonly relation: string;
  /** Times of the same day. */
  readonly start: string;
  readonly end: string;
}

/** A column of a named export: a field or a path, or a text with names of fields in braces. */
interface NamedExportColumn {
  readonly field?: string;
  readonly text?: string;
  /** Default: the label of the field. */
  readonly heading?: string;
}

/** A download of the list in the shape that another program expects. */
export interface NamedExport {
  readonly label: string;
  readonly columns: readonly NamedExportColumn[];
  readonly format: 'xlsx' | 'csv';
  readonly separator: string;
  readonly decimalSeparator: '.' | ',';
  readonly dateFormat: string;
  readonly encoding: 'utf-8' | 'utf-8-bom';
  readonly header: boolean;
  /** Without the ending of the format. */
  readonly file: string;
}

/** A form for people without an account. */
export interface PublicForm {
  readonly fields: readonly string[];
  /** Values of other fields. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly title?: string;
  readonly text?: string;
  readonly confirmation: string;
  /** A mail to an address that was entered. */
  readonly mail?: { readonly address: string; readonly subject: string; readonly text: string };
  readonly hourlyLimit: number;
}

/** How records stand in the switcher above the menu, which narrows lists to one of them. */
export interface Switcher {
  /** The field with a few letters for a record; without it they are those of the title. */
  readonly short?: string;
  readonly counts: readonly SwitcherCount[];
}

/** A number of records that point to a record of the switcher. */
export interface SwitcherCount {
  /** The relation on the other side, such as `orders.customer_id`. */
  readonly source: string;
  readonly where?: Condition;
  readonly one: string;
  readonly many: string;
}

/** Warns of a record: of those `among` its resource, or of the newest of each record of a relation. */
export interface MenuAlert {
  readonly resource: string;
  readonly among?: Condition;
  readonly latestPer?: string;
  readonly where: Condition;
  readonly label: string;
}

/** The entry of a resource in the side menu, or in the list of settings. */
export interface MenuEntry {
  /** Empty: without a heading. */
  readonly group: string;
  /** It is a tab of the entry of this name. */
  readonly tabOf?: string;
  /** G and this letter open it, C and the letter add a record. */
  readonly key?: string;
  readonly settings: boolean;
  /** Its records narrow all lists that refer to them. */
  readonly switcher?: Switcher;
  /** The number of its records that wait. */
  readonly count?: { readonly where: Condition; readonly label: string };
  /** A red dot as long as a record of a resource matches. */
  readonly alert?: MenuAlert;
  readonly icon: string;
  readonly order: number;
}

export interface Definition {
  readonly name: string;
  readonly table: string;
  readonly formerName?: string;
  readonly labels: { readonly one: string; readonly many: string };
  readonly description?: string;
  readonly titles: Titles;
  readonly scope: Scope;
  /** The property that wraps responses, if any. */
  readonly envelope: 'data' | null;
  /** A template over the record's fields: the title of a record. */
  readonly recordTitle: string;
  /** The field that the title is read from, sorted by, and carried in embeds. */
  readonly titleField: string;
  readonly fields: Readonly<Record<string, Field>>;
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly chip?: Chip;
  readonly menu: MenuEntry | null;
  readonly list: ListDefinition;
  readonly form: FormDefinition;
  /** Requests on a record, by name. */
  readonly requests: Readonly<Record<string, RequestDefinition>>;
  readonly copy: CopyDefinition | null;
  /** How records are distinguished in selects: fields shown beside the title, only for equal titles or for all. */
  readonly choices: { readonly detail: readonly string[]; readonly alwaysShowDetail: boolean };
  /** The export of a list: `GET /api/{path}`, its file name, and columns besides those shown. */
  readonly export: {
    readonly path: string;
    readonly file: string;
    /** The list has a button for it; otherwise it is among what `…` offers. */
    readonly button?: boolean;
    readonly columns: readonly string[];
    /** Forms that code of the product writes, by name, with their labels. */
    readonly formats: Readonly<Record<string, string>>;
  } | null;
  /** Downloads with columns of their own, by name: `GET /api/{export.path}/{name}`. */
  readonly exports?: Readonly<Record<string, NamedExport>>;
  /** The parts that people without an account can reach. `choices`: the titles of its records, in public forms of others. */
  readonly public?: { readonly create?: PublicForm; readonly choices: boolean };
  /** The printed page of a record. `template`: its lines as one text. */
  readonly print?: { readonly template: string; readonly paper: 'A4' | 'Letter' };
  readonly import: ImportDefinition | null;
  readonly toasts: {
    readonly copied: string;
    readonly created: string;
    readonly updated: string;
    readonly deleted: string;
    readonly restored: string;
  };
  /**
   * `keep`: a deleted record leaves lists and lookups, but stays stored for the names that others show. `final`: nobody can
   * bring it back, because code does more with it than delete its rows.
   */
  readonly delete: {
    readonly confirm: string;
    readonly confirmations: readonly { readonly where: Condition; readonly confirm: string }[];
    readonly keep: boolean;
    readonly final: boolean;
  };
  /** Records are archived instead of removed; `cascade` names relations (`resource.field`) archived along. */
  readonly archive: { readonly confirmRestore: string; readonly cascade: readonly string[] } | null;
  readonly rules: readonly Rule[];
  /** The grants of the six levels when the module is new. */
  readonly grants: Readonly<Record<Level, readonly Action[]>>;
  readonly hooks: Readonly<Partial<Record<HookEvent, readonly string[]>>>;
  /** Rows shipped with the program: a file in `rows/`, protected from deletion by default. */
  readonly rows: { readonly file: string; readonly protected: boolean } | null;
  /** Indexes besides those for relations, search and the default order: lists of fields. */
  readonly indexes: readonly (readonly string[])[];
  /** Combinations of fields that are unique, besides the fields that are unique alone. */
  readonly unique: readonly UniqueRule[];
  /** The spans that must not overlap; null: all may. */
  readonly noOverlap: OverlapRule | null;
  /** The rules for every record that is stored, besides those of single fields. */
  readonly validate: readonly ValidationRule[];
  /** The automations: after changes, at times, after a time without change. */
  readonly automations: readonly Automation[];
  /** Every change is recorded. */
  readonly history: boolean;
  /** People comment on the records; null: they do not. */
  readonly comments: CommentsDefinition | null;
  readonly timer: TimerDefinition | null;
  /** The page of a record for reading; null: it is read in its form. */
  readonly page: PageDefinition | null;
  /** The program writes the records and manages their table; grants depend on the level only. */
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
