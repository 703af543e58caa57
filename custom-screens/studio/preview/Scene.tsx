import { useNotify } from 'react-admin';
import { useMemo, useState } from 'react';
import { createRegistry, type Registry } from '../../../src/engine/definitions/registry';
import type { Definition } from '../../../src/engine/definitions/definition';
import type { Module } from '../../../src/engine/studio/module';
import type { SignedIn } from '../../../src/app/admin/definitionsCalls';
import { useDefinitions } from '../../../src/app/admin/DefinitionsContext';
import { Frame } from '../../../src/app/layout/Frame';
import { FailedState } from '../../../src/app/states/FailedState';
import { SkeletonRows } from '../../../src/app/states/SkeletonRows';
import { Boundary } from './Boundary';
import { Cards } from './Cards';
import { fieldOf } from './marks';
import { previewServer } from './server';
import { Stage } from './Stage';
import { useRelated, useStored } from './useStored';
import { useViewer, type Named, type Role } from './useViewer';
import type { World } from './world';

interface SceneProps {
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
export function Scene({ draft, module, place, company, role, person, scale }: SceneProps) {
  const { registry } = useDefinitions();
  const published = registry.get(module.name);
  const actor = useViewer(role, person, company, draft)!;
  const { stored, error } = useStored(published, draft, actor, company, module.version);
  if (error) return <FailedState title="The records could not be loaded" message={error.message} />;
  if (!stored) return <SkeletonRows rows={8} />;
  const who = ['as', person && `${person.name},`, role.role_name.toLowerCase()].filter(Boolean).join(' ');
  return <Shown {...{ draft, published, actor, company, stored, who, scale }} field={fieldOf(place)} />;
}

interface ShownProps extends Pick<World, 'published' | 'company' | 'stored'> {
  draft: Definition;
  actor: SignedIn;
  who: string;
  field: string | undefined;
  scale: number;
}

function Shown({ draft, published, actor, company, stored, who, field, scale }: ShownProps) {
  const { registry: current } = useDefinitions();
  const notify = useNotify();
  const related = useRelated(draft, actor, stored);
  const registry = useMemo(() => withDraft(current, draft), [current, draft]);
  const world = useMemo<World>(
    () => ({ definition: draft, published, registry, actor, company, stored, related }),
    [actor, company, draft, published, registry, related, stored],
  );
  const [server] = useState(() =>
    previewServer(world, (words) => notify(words, { type: 'info', messageArgs: { _: words } })),
  );
  return (
    <Frame title="Preview of the list and the form" className="preview-frame" scale={scale}>
      <Boundary attempt={world}>
        <Stage world={world} server={server}>
          <Cards {...{ world, server, who, field }} />
        </Stage>
      </Boundary>
    </Frame>
  );
}

/** The published definitions, with the draft in place of its own. */
function withDraft(current: Registry, draft: Definition): Registry {
  const others = [...current.definitions.values()].filter(({ name }) => name !== draft.name);
  return createRegistry([...others, draft], current.version + 1);
}
