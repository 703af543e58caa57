import type { Weekday } from './automation';
import type {
  DaysView,
  Gallery,
  ListView,
  EmptyAction,
  Action,
  Chart,
  Condition,
  FieldTypeName,
  HookEvent,
  Level,
  SelectOption,
  Scope,
  ShownAnswer,
  TimerDefinition,
  Tone,
  TotalFunction,
  ValidationRule,
} from './definition';
import type { RollupTake } from '../expressions/derivations';

/**
 * A definition as written in a file; missing keys get their default in `normalise.ts`. `schemas/` documents every key.
 */
export interface Source {
  $schema?: string;
  name: string;
  was?: string;
  labels: { one: string; many: string };
  description?: string;
  titles?: Partial<Record<'list' | 'create' | 'edit' | 'copy' | 'view' | 'add', string>>;
  scope?: Scope;
  envelope?: 'data' | null;
  recordTitle?: string;
  fields: Record<string, FieldSource>;
  parameters?: Record<string, ParameterSource>;
  chip?: {
    shape: 'dot' | 'ring' | 'mark' | 'avatar';
    tones?: Record<string, Tone>;
    marks?: Record<string, number | string>;
  };
  menu?: { group?: string; icon?: string; order?: number } | false;
  list?: ListSource;
  form?: FormSource;
  requests?: Record<string, RequestSource>;
  choices?: { detail?: string[]; always?: boolean };
  copy?: { suffix?: string; field?: string; keeps?: string; resets?: string[] };
  export?: boolean | { path?: string; file?: string; columns?: string[]; formats?: Record<string, string> };
  import?: ImportSource;
  toasts?: Partial<Record<'created' | 'updated' | 'deleted' | 'restored' | 'copied', string>>;
  delete?: { confirm?: string; when?: { if: Condition; confirm: string }[]; keep?: boolean };
  archive?: boolean | { confirmRestore?: string; cascade?: string[] };
  rules?: RuleSource[];
  grants?: Partial<Record<`${Level}`, Action[] | 'all' | 'read' | 'none'>>;
  hooks?: Partial<Record<HookEvent, string[]>>;
  rows?: string | { file: string; protected?: boolean };
  indexes?: string[][];
  unique?: (string[] | UniqueSource)[];
  noOverlap?: { fields: [from: string, to: string]; per?: string[]; message?: string };
  validate?: ValidationRule[];
  history?: boolean;
  comments?: boolean | { write?: 'view' | 'edit'; form?: boolean; watchers?: string[] };
  timer?: TimerDefinition;
  page?: boolean | PageSource;
  system?: boolean;
  when?: AutomationSource[];
}

export interface FieldSource {
  type?: FieldTypeName;
  label?: string;
  help?: string;
  placeholder?: string;
  empty?: string;
  required?: boolean | 'form' | Condition;
  readOnly?: boolean | Condition;
  visible?: Condition;
  default?: unknown;
  unique?: boolean | 'company' | 'installation';
  minLength?: number;
  maxLength?: number;
  similar?: boolean;
  min?: number;
  max?: number;
  most?: number;
  accept?: string[];
  maxSize?: string;
  integer?: boolean;
  decimal?: boolean;
  currency?: string;
  limitedBy?: string;
  queryOf?: string;
  many?: boolean;
  pattern?: string;
  patternMessage?: string;
  notBefore?: string;
  after?: string;
  notAfter?: '$today';
  on?: string;
  continues?: string;
  from?: string;
  fields?: Record<string, FieldSource>;
  options?: SelectOption[];
  initial?: string | number;
  transitions?: TransitionSource[];
  transitionsBy?: string;
  to?: string;
  embed?: string;
  embedFields?: string[];
  choices?: Condition;
  onDelete?: 'restrict' | 'cascade' | 'clear';
  within?: boolean;
  pin?: boolean;
  maxDepth?: number;
  depth?: string;
  of?: string;
  inLists?: 'count' | 'records' | 'nothing';
  countAs?: string;
  sum?: string;
  show?: string[];
  strip?: string;
  also?: string;
  inserts?: string;
  distinct?: string;
  asksBefore?: string[];
  take?: RollupTake;
  field?: string;
  by?: string;
  where?: Condition;
  computed?: Condition | string;
  was?: string;
  secret?: boolean;
  virtual?: boolean;
  searchable?: boolean;
  sortable?: boolean;
  filterable?: boolean;
  width?: 'full' | 'half' | 'quarter';
  lines?: number;
  markdown?: boolean;
  digits?: number;
  separators?: boolean;
  path?: string;
  shares?: string[];
  format?: string;
  per?: string;
  gapless?: boolean;
}

export interface TransitionSource {
  from: OptionValue | OptionValue[];
  to: OptionValue | OptionValue[];
  label?: string;
  levels?: Level[];
  roles?: string[];
  when?: Condition;
  needs?: string[];
}

type OptionValue = SelectOption['value'];

export interface ParameterSource {
  kind?: 'value' | 'flag' | 'span' | 'month' | 'unlimited' | 'named';
  export?: string;
  named?: Record<string, Condition>;
  field?: string;
  where?: Condition;
  label?: string;
  to?: string;
}

/** Rows that stand out, by a tint and by words. */
export interface HighlightSource {
  when: Condition;
  tone: Tone;
  label: string;
}

export interface ListSource {
  columns?: (
    | string
    | {
        field: string;
        label?: string;
        visible?: boolean;
        fixed?: boolean;
        width?: number;
        below?: string[];
        parts?: { field: string; tone?: Tone; icon?: string; rest?: boolean }[];
      }
  )[];
  rowClick?: 'page' | 'edit' | 'view' | 'screen' | 'none';
  sort?: string;
  sortChoices?: string[];
  filters?: Record<
    string,
    { field?: string; label?: string; many?: boolean; range?: boolean; allLabel?: string; choices?: Condition }
  >;
  views?: ListView[];
  card?: {
    title?: string;
    subtitle?: string;
    mark?: string;
    key?: string;
    marks?: string[];
    lines?: (string | { field: string; icon?: string })[];
    person?: string;
    counts?: { field: string; action?: string; one: string; many: string }[];
    menu?: string[];
  };
  kanban?: KanbanSource;
  group?: { by?: string; fields?: string[] };
  totals?: Record<string, TotalFunction>;
  calendar?: Partial<DaysView> & Pick<DaysView, 'start'>;
  timeline?: Partial<DaysView> & Pick<DaysView, 'start' | 'end'>;
  gallery?: Partial<Gallery>;
  tree?: string[];
  tabs?: { name: string; label: string; filter: Record<string, unknown>; export?: string; linkOnly?: boolean }[];
  saved?: {
    name: string;
    label: string;
    filter?: Record<string, unknown>;
    sort?: string;
    columns?: string[];
    view?: ListView;
    tab?: string;
    group?: string;
  }[];
  charts?: {
    name: string;
    label: string;
    kind: Chart['kind'];
    group?: string;
    step?: Chart['step'];
    by?: string;
    sum?: string;
    avg?: string;
    where?: Condition;
  }[];
  actions?: (
    | string
    | {
        name: string;
        label?: string;
        icon?: string;
        levels?: Level[];
        roles?: string[];
        visible?: Condition;
        goTo?: { resource: string; filter?: Record<string, unknown> };
        screen?: string;
        opens?: { resource: string; values?: Record<string, unknown>; initial?: Record<string, unknown> };
        calls?: {
          path: string;
          body?: Record<string, unknown>;
          needs?: 'view' | 'edit';
          confirm?: string;
          many?: string;
          toast?: string;
          shows?: ShownAnswer;
          afterCreate?: boolean;
        };
        visibleOnRecord?: Condition;
      }
  )[];
  actionsWidth?: number;
  chooseColumns?: boolean;
  search?: boolean;
  highlight?: HighlightSource | HighlightSource[];
  bulkEdit?: string[];
  inlineEdit?: string[];
  bulkDelete?: boolean;
  empty?: string;
  emptyActions?: EmptyAction[];
}

export interface KanbanSource {
  label?: string;
  column: string;
  request?: string;
  field?: string;
  lines?: (string | { field: string; icon?: string })[];
  priority?: string;
  person?: string;
  due?: string;
  late?: string;
  sum?: string;
  counts?: string[];
  menu?: string[];
}

export interface RequestSource {
  label: string;
  icon?: string;
  title?: string;
  path?: string;
  width?: number | string;
  toast?: string;
  sets?: string[] | Record<string, unknown>;
  asks?: string[];
  where?: Condition;
  levels?: Level[];
  roles?: string[];
  confirm?: string;
  adds?: { resource: string; relation: string; fields: string[] };
  required?: string[];
  ignored?: string[];
  visible?: Record<string, Condition>;
  list?: { resource: string; query?: Record<string, unknown> };
}

export interface ImportSource {
  order?: number;
  ask?: string;
  fields?: string[];
  match?: string[];
  synonyms?: Record<string, string[]>;
  values?: Record<string, Record<string, string[]>>;
  creates?: Record<string, Record<string, string | number | boolean>>;
  files?: ('xml' | 'json')[];
  paths?: string[][];
  splits?: Record<string, string>;
  steps?: string[];
  key?: string[];
  numbers?: string[];
  tools?: {
    name: string;
    when: string[];
    columns?: Record<string, string | null>;
    values?: Record<string, Record<string, string[]>>;
    skip?: Record<string, string[]>;
  }[];
}

export interface FormSource {
  sections?: {
    label: string;
    description?: string;
    fields: string[];
    alternatives?: { label: string; fields: string[] }[];
  }[];
  dialog?: false | { width: number | string; side?: boolean };
  popup?: { width: number | string };
  tabs?: {
    name: string;
    label: string;
    list: string;
    query: Record<string, unknown>;
    values?: Record<string, unknown>;
    visible?: Condition;
  }[];
  redirects?: { after?: 'create' | 'edit' | 'both'; when?: Condition; to: string }[];
}

export interface PageSource {
  chips?: string[];
  rail?: string[];
  sections?: { label?: string; fields: string[] }[];
  related?: string[];
  stream?: {
    name: string;
    label: string;
    list: string;
    query: Record<string, unknown>;
    at: string;
    by?: string;
    text: string;
  }[];
}

/** Paths to users, or everybody of some roles or levels. */
export type RecipientsSource = string | string[] | { roles?: string[]; roleNames?: string[]; levels?: Level[] };

/** One step of an automation: exactly one of `notify`, `mail`, `set`, `create` and `webhook`. */
export interface AutomationStepSource {
  notify?: RecipientsSource;
  text?: string;
  mail?: { to: string; template?: string; subject?: string; text?: string };
  set?: Record<string, unknown>;
  create?: string;
  values?: Record<string, unknown>;
  each?: string;
  webhook?: string;
}

export interface AutomationSource {
  name: string;
  label?: string;
  on?: ('create' | 'update' | 'delete')[];
  changed?: string[];
  transition?: { field: string; to: string | number };
  every?: 'hour' | 'day' | 'week' | 'month';
  weekdays?: Weekday[];
  day?: number | 'last';
  at?: string;
  zone?: string;
  idle?: string;
  where?: Condition;
  as?: string;
  do: AutomationStepSource[];
}

export interface UniqueSource {
  fields: string[];
  where?: Condition;
  message?: string;
}

export interface RuleSource {
  levels?: Level[];
  roles?: string[];
  action: Action | Action[];
  where?: Condition;
  fields?: string[];
  except?: string[];
  reason?: string;
}
