import type { FieldOf } from '../../../engine/definitions/definition';
import { lazyComponent } from '../../states/lazyComponent';
import type { InputFacets, InputProps } from '../fieldType';
import { TextBox } from '../TextBox';
import { linesOf } from './lines';

const MarkdownBox = lazyComponent(() => import('../editors').then((module) => ({ default: module.MarkdownBox })));

/** Multi-line text; the box grows with it. */
function Input(props: InputProps<FieldOf<'textarea'>>) {
  if (props.field.markdown) return <MarkdownBox {...props} />;
  return (
    <TextBox
      {...props}
      lines={linesOf(props.field)}
      text={typeof props.value === 'string' ? props.value : ''}
      onText={(text) => props.onChange(text === '' ? undefined : text)}
    />
  );
}

export default { Input } satisfies InputFacets<FieldOf<'textarea'>>;
