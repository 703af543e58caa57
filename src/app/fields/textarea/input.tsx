import type { ReactNode } from 'react';
import type { FieldOf } from '../../../engine/definitions/definition';
import { lazyComponent } from '../../states/lazyComponent';
import type { InputFacets, InputProps } from '../fieldType';
import { TextBox } from '../TextBox';
import { linesOf } from './lines';

type Props = InputProps<FieldOf<'textarea'>>;

const MarkdownBox = lazyComponent<(props: Props) => ReactNode>(
  () => import('./MarkdownBox').then((module) => ({ default: module.MarkdownBox })),
  PlainBox,
);

/** Multi-line text; the box grows with it. */
function Input(props: Props) {
  return props.field.markdown ? <MarkdownBox {...props} /> : <PlainBox {...props} />;
}

function PlainBox({ value, onChange, ...props }: Props) {
  return (
    <TextBox
      {...props}
      lines={linesOf(props.field)}
      text={typeof value === 'string' ? value : ''}
      onText={(text) => onChange(text === '' ? undefined : text)}
    />
  );
}

export default { Input } satisfies InputFacets<FieldOf<'textarea'>>;
