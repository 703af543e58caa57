import { useNotify } from 'react-admin';
import { useMemo, useState, Component, type ReactNode } from 'react';
import { createRegistry, type Registry } from '../../../engine/registry/registry';
import type { Definition } from '../../../engine/definitions/definition';
import type { Source } from '../../../engine/language/source';
import type { Module } from '../../../engine/studio/module';
import { withoutWords } from '../../../engine/studio/without-words';
import { useDefinitions } from '../../data/DefinitionsContext';
import { PreviewFrame } from '../../layout/PreviewFrame';
import { sectionAt } from '../draftPlaces';
import { PreviewCards, type EditedCard } from './PreviewCards';
import { fieldAt } from './highlight';
import { createPreviewServer } from './previewServer';
import { IsolatedApp } from './IsolatedApp';
import { useViewer, viewAsText, type Named, type Role } from './useViewer';
import type { PreviewWorld } from './previewWorld';
import * as styles from './preview.module.css';
import { FailedState } from '../../states/FailedState';

interface PreviewBoundaryProps {
  /** When it changes, the preview is rendered again after an error. */
  attempt: unknown;
  children: ReactNode;
}

interface PreviewBoundaryState {
  failed: boolean;
  attempt: unknown;
}

/** Catches errors of the preview, so that the editor keeps working; the next draft is tried again. */
export class PreviewBoundary extends Component<PreviewBoundaryProps, PreviewBoundaryState> {
  override state: PreviewBoundaryState = { failed: false, attempt: this.props.attempt };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  static getDerivedStateFromProps({ attempt }: PreviewBoundaryProps, stateBefore: PreviewBoundaryState) {
    return attempt === stateBefore.attempt ? null : { failed: false, attempt };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <FailedState
        title="The preview could not be shown"
        message="Your draft is safe. The preview tries again with your next change."
        onRetry={() => this.setState({ failed: false })}
      />
    );
  }
}

interface PreviewSceneProps {
  draft: Definition;
  /** The draft as it is written. */
  source: Source;
  module: Module;
  pointer: string;
  company: number;
  role: Role;
  person: Named | null;
  /** The zoom factor. */
  scale: number;
}

/** The draft as a viewer sees it, in a frame. */
export function PreviewScene({ draft, source, module, pointer, company, role, person, scale }: PreviewSceneProps) {
  const { registry: current } = useDefinitions();
  const publishedDefinition = current.get(module.name);
  const actor = useViewer(role, person, company, draft);
  const viewAs = viewAsText(role, person, company);
  const notify = useNotify();
  const registry = useMemo(() => registryWithDraft(current, draft), [current, draft]);
  const content = useMemo(() => JSON.stringify(withoutWords(source)), [source]);
  const world = useMemo<PreviewWorld>(
    () => ({ definition: draft, source, content, publishedDefinition, registry, actor, viewAs, company }),
    [actor, viewAs, company, content, draft, publishedDefinition, registry, source],
  );
  const viewerText = ['as', person && `${person.name},`, role.role_name.toLowerCase()].filter(Boolean).join(' ');
  const [server] = useState(() =>
    createPreviewServer(world, (words) => notify(words, { type: 'info', messageArgs: { _: words } })),
  );
  return (
    <PreviewFrame title="Preview of the list and the form" className={styles.previewFrame} scale={scale}>
      <PreviewBoundary attempt={world}>
        <IsolatedApp world={world} server={server}>
          <PreviewCards
            {...{ world, server, viewerText }}
            field={fieldAt(pointer)}
            editedCard={editedCardAt(pointer)}
          />
        </IsolatedApp>
      </PreviewBoundary>
    </PreviewFrame>
  );
}

/** The published definitions, with the draft in place of its own. */
function registryWithDraft(current: Registry, draft: Definition): Registry {
  const otherDefinitions = [...current.definitions.values()].filter(({ name }) => name !== draft.name);
  return createRegistry([...otherDefinitions, draft], current.version + 1);
}

/** The card that shows what is edited at a pointer; undefined where both do. */
function editedCardAt(pointer: string): EditedCard | undefined {
  const { name } = sectionAt(pointer);
  return name === 'list' || name === 'form' ? name : undefined;
}
