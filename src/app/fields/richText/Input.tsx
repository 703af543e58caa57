import { Suspense } from 'react';
import type { InputProps } from '../part';
import { lazyPart } from '../../states/lazyPart';

const Editor = lazyPart(() => import('./Editor').then((room) => ({ default: room.Editor })));

/** Formatted text. The editor is big and comes when it is needed, into the room that it will take. */
export function Input(props: InputProps) {
  return (
    <Suspense fallback={<div className="editor" style={{ minHeight: editorHeight(props) }} />}>
      <Editor {...props} height={editorHeight(props)} />
    </Suspense>
  );
}

/** Of toolbar, text and edges, in pixels. */
function editorHeight({ field, readOnly }: InputProps): number {
  return Math.max(112, (field.lines ?? 0) * 20 + 20) + 2 + (readOnly ? 0 : 36);
}
