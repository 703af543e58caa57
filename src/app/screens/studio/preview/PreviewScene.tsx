import { useNotify } from 'react-admin';
import { useMemo, useState } from 'react';
import { createRegistry, type Registry } from '../../../../engine/definitions/registry';
import type { Definition } from '../../../../engine/definitions/definition';
import type { Module } from '../../../../engine/studio/module';
import type { Actor } from '../../../../engine/access/actor';
import { useDefinitions } from '../../../admin/DefinitionsContext';
import { PreviewFrame } from '../../../layout/PreviewFrame';
import { FailedState } from '../../../states/FailedState';
import { SkeletonRows } from '../../../states/SkeletonRows';
import { PreviewBoundary } from './PreviewBoundary';
import { PreviewCards } from './PreviewCards';
import { fieldAt } from './highlight';
import { createPreviewServer } from './previewServer';
import { IsolatedApp } from './IsolatedApp';
import { useRelatedRecords, useStoredRecords } from './useStoredRecords';
import { useViewer, type Named, type Role } from './useViewer';
import type { PreviewWorld } from './previewWorld';
import * as styles from './preview.module.css';

interface PreviewSceneProps {
  draft: Definition;
  module: Module;
  place: string;
  company: number;
  role: Role;
  person: Named | null;
  /** The zoom factor. */
  scale: number;
}

/** Loads the viewer and the stored records for the draft, and shows them in a frame. */
export function PreviewScene({ draft, module, place, company, role, person, scale }: PreviewSceneProps) {
  const { registry } = useDefinitions();
  const published = registry.get(module.name);
  const actor = useViewer(role, person, company, draft)!;
  const { stored, error } = useStoredRecords(published, draft, actor, company, module.version);
  if (error) return <FailedState title="The records could not be loaded" message={error.message} />;
  if (!stored) return <SkeletonRows rows={8} />;
  const who = ['as', person && `${person.name},`, role.role_name.toLowerCase()].filter(Boolean).join(' ');
  return <SceneContent {...{ draft, published, actor, company, stored, who, scale }} field={fieldAt(place)} />;
}

interface SceneContentProps extends Pick<PreviewWorld, 'published' | 'company' | 'stored'> {
  draft: Definition;
  actor: Actor;
  who: string;
  field: string | undefined;
  scale: number;
}

function SceneContent({ draft, published, actor, company, stored, who, field, scale }: SceneContentProps) {
  const { registry: current } = useDefinitions();
  const notify = useNotify();
  const related = useRelatedRecords(draft, actor, stored);
  const registry = useMemo(() => registryWithDraft(current, draft), [current, draft]);
  const world = useMemo<PreviewWorld>(
    () => ({ definition: draft, published, registry, actor, company, stored, related }),
    [actor, company, draft, published, registry, related, stored],
  );
  const [server] = useState(() =>
    createPreviewServer(world, (words) => notify(words, { type: 'info', messageArgs: { _: words } })),
  );
  return (
    <PreviewFrame title="Preview of the list and the form" className={styles.previewFrame} scale={scale}>
      <PreviewBoundary attempt={world}>
        <IsolatedApp world={world} server={server}>
          <PreviewCards {...{ world, server, who, field }} />
        </IsolatedApp>
      </PreviewBoundary>
    </PreviewFrame>
  );
}

/** The published definitions, with the draft in place of its own. */
function registryWithDraft(current: Registry, draft: Definition): Registry {
  const others = [...current.definitions.values()].filter(({ name }) => name !== draft.name);
  return createRegistry([...others, draft], current.version + 1);
}
