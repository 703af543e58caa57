import type { FieldOf } from '../../../engine/definitions/definition';
import { RichText } from './RichText';
import { lazyComponent } from '../../states/lazyComponent';
import type { InputFacets, InputProps } from '../fieldType';
import { height } from './height';
import * as styles from '../fields.module.css';

type SizedProps = InputProps<FieldOf<'richText'>> & { height: number };

const Editor = lazyComponent(() => import('./Editor').then((module) => ({ default: module.Editor })), ReadOnly);

/** Rich text. The editor is large and loaded on demand, into its final height. */
function Input(props: InputProps<FieldOf<'richText'>>) {
  return <Editor {...props} height={height(props.field, props.readOnly)} />;
}

/** Shows the text until the editor has loaded. */
function ReadOnly({ id, value, readOnly, height }: SizedProps) {
  return (
    <div className={styles.editor} style={{ minHeight: height }} data-readonly={readOnly || undefined}>
      {!readOnly && <div className={styles.editorTools} />}
      <div className={styles.editorBody} role="group" aria-labelledby={`${id}-label`} aria-busy="true">
        <RichText html={typeof value === 'string' ? value : ''} className={styles.editorText} />
      </div>
    </div>
  );
}

export default { Input } satisfies InputFacets<FieldOf<'richText'>>;
