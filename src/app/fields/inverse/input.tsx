import { recordTitleOf } from '../../chips/titleOf';
import type { InputFacets, InputProps } from '../fieldType';
import { useDefinitions } from '../../admin/DefinitionsContext';
import { StripOfRecords } from './Strip';
import { TextBox } from '../TextBox';

/** The names of the records that reference this one. They are edited on their own side. */
function Input({ value, ...props }: InputProps) {
  const { registry } = useDefinitions();
  const records = Array.isArray(value) ? (value as Record<string, unknown>[]) : [];
  if (props.field.inverse && props.field.strip && records.length > 0)
    return <StripOfRecords field={props.field} records={records} registry={registry} />;
  const text = records.map((record) => recordTitleOf(undefined, record)).join(', ');
  return <TextBox {...props} readOnly text={text} onText={() => {}} />;
}

export default { Input } satisfies InputFacets;
