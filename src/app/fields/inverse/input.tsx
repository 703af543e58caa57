import { recordTitleOf } from '../../chips/titleOf';
import type { InputFacets, InputProps } from '../fieldType';
import { lazyComponent } from '../../states/lazyComponent';
import { TextBox } from '../TextBox';

const StripOfLinks = lazyComponent(() => import('./StripOfLinks'));

/** The names of the records that reference this one. They are edited on their own side. */
function Input({ value, ...props }: InputProps) {
  const records = Array.isArray(value) ? (value as Record<string, unknown>[]) : [];
  if (props.field.inverse && props.field.valueStrip && records.length > 0)
    return <StripOfLinks id={props.id} field={props.field} records={records} />;
  const text = records.map((record) => recordTitleOf(undefined, record)).join(', ');
  return <TextBox {...props} readOnly text={text} onText={() => {}} />;
}

export default { Input } satisfies InputFacets;
