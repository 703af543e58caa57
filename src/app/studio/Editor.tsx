import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router-dom';
import type { Source } from '../../engine/language/source';
import type { Module } from '../../engine/studio/module';
import { useDefinitions } from '../data/DefinitionsContext';
import { usePage } from '../layout/page';
import { ApiError } from '../session/api';
import { FailedState } from '../states/FailedState';
import { SkeletonRows } from '../states/SkeletonRows';
import { fetchModule, moduleKeys } from './api';
import { DraftProvider } from './draft/DraftProvider';
import { DraftSaving } from './draft/DraftSaving';
import { useCurrentDraft } from './draft/useCurrentDraft';
import type { SavedDraft } from './draft/savedDraft';
import { EditorLayout } from './EditorLayout';

/** The editor of one module; also of a draft of a module that was never published. */
export default function Editor() {
  const { name = '' } = useParams();
  const draft = useCurrentDraft(name);
  const { data, error, refetch } = useQuery({
    queryKey: moduleKeys.one(name),
    queryFn: ({ signal }) => fetchModule(name, signal),
    retry: (count, failure) => !(failure instanceof ApiError && failure.status < 500) && count < 2,
    meta: { quiet: true },
  });
  const isMissing = error instanceof ApiError && error.status === 404;
  const newModule = isMissing && !data ? unpublishedModule(draft.current?.base.source) : null;
  const module = data ?? newModule;
  if (module && !draft.isLoading) return <ModuleEditor key={name} module={module} savedDraft={draft.current} />;
  return <EditorLoading name={name} error={draft.isLoading ? null : error} onRetry={() => void refetch()} />;
}

/** The editor of a module that is loaded. */
function ModuleEditor({ module, savedDraft }: { module: Module; savedDraft: SavedDraft | null }) {
  const { actor } = useDefinitions();
  const [initialDraft] = useState(savedDraft);
  return (
    <DraftProvider module={module} savedDraft={initialDraft}>
      <DraftSaving user={actor.id} savedDraft={initialDraft}>
        <EditorLayout />
      </DraftSaving>
    </DraftProvider>
  );
}

function EditorLoading({ name, error, onRetry }: { name: string; error: Error | null; onRetry: () => void }) {
  usePage({ title: name, note: 'Definition', back: { to: '/studio', label: 'Studio' } });
  if (!error) return <SkeletonRows rows={8} />;
  return <FailedState title={`${name} could not be loaded`} message={error.message} onRetry={onRetry} />;
}

/** A module that was never published, built from its draft; null without one. */
function unpublishedModule(definition: Source | undefined): Module | null {
  if (!definition) return null;
  const { name, labels } = definition;
  return {
    ...{ name, labels, definition, origin: 'custom', version: 0, customised: false, retired: false },
    ...{ changed: null, shipped: null, upgrade: null, hidden: [] },
  };
}
