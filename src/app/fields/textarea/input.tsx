import type { FieldOf } from '../../../engine/definitions/definition';
import { lazyComponent } from '../../states/lazyComponent';
import type { InputFacets, InputProps } from '../fieldType';
import { usePasteLimit } from '../usePasteLimit';
import { TextBox } from '../TextBox';
import { linesOf } from './lines';

/** Of the toolbar of `MarkdownBox`, in pixels. */
const toolbarHeight = 38;

const MarkdownBox = lazyComponent(
  () => import('../editors').then((module) => ({ default: module.MarkdownBox })),
  PlainBox,
);

/** Multi-line text; the box grows with it. */
function Input(props: InputProps<FieldOf<'textarea'>>) {
  const refusePaste = usePasteLimit(props.field);
  const Box = props.field.markdown ? MarkdownBox : PlainBox;
  return (
    <div style={{ display: 'contents' }} onPasteCapture={(event) => refusePaste(event) && event.stopPropagation()}>
      <Box {...props} />
    </div>
  );
}

/** The box, below the space of a toolbar for marks until that has loaded. */
function PlainBox(props: InputProps<FieldOf<'textarea'>>) {
  const { field, readOnly } = props;
  const box = (
    <TextBox
      {...props}
      lines={linesOf(props.field)}
      text={typeof props.value === 'string' ? props.value : ''}
      onText={(text) => props.onChange(text === '' ? undefined : text)}
    />
  );
  return field.markdown && !readOnly ? <div style={{ paddingTop: toolbarHeight }}>{box}</div> : box;
}

export default { Input } satisfies InputFacets<FieldOf<'textarea'>>;
