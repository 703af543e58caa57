import type { FieldTypeName } from '../../../../engine/definitions/definition';

/** The icon of each field type. */
export const typeIcons: Readonly<Record<FieldTypeName, string>> = {
  text: 'text',
  textarea: 'paragraph',
  richText: 'paragraph',
  number: 'hash',
  boolean: 'toggle',
  date: 'calendar',
  time: 'clock',
  datetime: 'calendar',
  email: 'mail',
  url: 'link',
  phone: 'phone',
  password: 'key',
  select: 'select',
  icon: 'image',
  relation: 'relation',
  relations: 'relation',
  inverse: 'layers',
  json: 'json',
  permissions: 'shield',
  image: 'image',
  duration: 'timer',
  shareLink: 'send',
};

/** The label of each field type. */
export const typeLabels: Readonly<Record<FieldTypeName, string>> = {
  text: 'Text',
  textarea: 'Long text',
  richText: 'Rich text',
  number: 'Number',
  boolean: 'Yes or no',
  date: 'Date',
  time: 'Time',
  datetime: 'Date and time',
  email: 'Email',
  url: 'URL',
  phone: 'Phone',
  password: 'Password',
  select: 'Select',
  icon: 'Icon',
  relation: 'Relation',
  relations: 'Relations',
  inverse: 'Records that point here',
  json: 'JSON',
  permissions: 'Permissions',
  image: 'Image',
  duration: 'Duration',
  shareLink: 'Share link',
};

/** Shorter labels for the list of fields. */
export const shortTypeLabels: Readonly<Partial<Record<FieldTypeName, string>>> = {
  inverse: 'inverse',
  datetime: 'date, time',
};
