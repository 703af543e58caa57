import { parseInstant } from '../formats/dates';
import { isEmail } from '../field-types/email';
import { isEndTime, isTime } from '../field-types/time';
import { isUrl } from '../field-types/url';
import { isDate } from '../formats/dates';

/** The formats that derived schemas use, given to ajv and to the interpreter alike. */
export const formats: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDate,
  time: isTime,
  'end-time': isEndTime,
  'date-time': (text) => parseInstant(text) !== undefined,
  email: isEmail,
  uri: isUrl,
};
