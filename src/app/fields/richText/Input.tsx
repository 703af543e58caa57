import { RichText } from '../../shared/RichText';
import { lazyPart } from '../../states/lazyPart';
import type { InputProps } from '../part';
import { height } from './height';

type SizedProps = InputProps & { height: number };

const Editor = lazyPart(() => import('./Editor').then((room) => ({ default: room.Editor })), ReadOnly);

/** Formatted text. The editor is big and comes when it is needed, into the room that it will take. */
export function Input(props: InputProps) {
  return <Editor {...props} height={height(props.field, props.readOnly)} />;
}

/** The text, to be read until the editor is there. */
function ReadOnly({ id, value, readOnly, height }: SizedProps) {
  return (
    <div className="editor" style={{ minHeight: height }} data-readonly={readOnly || undefined}>
      {!readOnly && <div className="editor-tools" />}
      <div className="editor-body" role="group" aria-labelledby={`${id}-label`} aria-busy="true">
        <RichText html={typeof value === 'string' ? value : ''} className="editor-text" />
      </div>
    </div>
  );
}
