import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import { useRecordContext, type RaRecord } from 'react-admin';
import { Link } from 'react-router-dom';
import { formatNumber } from '../../src/engine/formats/numbers';
import { localToday } from '../../src/app/data/localTime';
import { TileFrame } from '../../src/app/screens/pages/TileFrame';
import { usePageRow } from '../../src/app/screens/pages/usePageRows';
import * as pageStyles from '../../src/app/screens/pages/pages.module.css';
import type { CoveredRequirement } from '../../src/product/answers/coverage';
import { useCoverage } from '../coverage/coverageApi';
import { ResultBar } from '../results/ResultNumbers';
import { PriorityMark } from '../shared-test-case/Marks';

const title = 'Requirements at risk';
const maxRows = 6;

/** The requirements of the milestone's project that fail, and those that nothing shows. */
export default function RequirementsAtRisk() {
  const project = Number(useRecordContext<RaRecord>()?.project_id);
  const { data, error } = useCoverage({ project, grouping: 'state', day: localToday(), q: '' });
  const atRisk = data?.requirements.filter(isAtRisk);
  return (
    <TileFrame
      title={title}
      total={atRisk?.length}
      target={`/coverage?project_id=${project}`}
      waits={{ contentKey: title, now: !data && !error }}
    >
      {!atRisk || atRisk.length === 0 ? (
        <p className={pageStyles.tileNote} role="status">
          {error
            ? `The requirements could not be loaded: ${error.message}`
            : atRisk
              ? 'Every requirement of the project has tests, and none of them fails.'
              : 'Loading…'}
        </p>
      ) : (
        <table className={pageStyles.tileRows}>
          <thead className="unseen">
            <tr>
              <th scope="col">Requirement</th>
              <th scope="col">Priority</th>
              <th scope="col">Coverage</th>
            </tr>
          </thead>
          <tbody>
            {atRisk.slice(0, maxRows).map((requirement) => (
              <Requirement key={requirement.id} requirement={requirement} />
            ))}
          </tbody>
        </table>
      )}
    </TileFrame>
  );
}

const isAtRisk = ({ is_gap: isGap, counts }: CoveredRequirement): boolean =>
  isGap || counts.failed > 0 || counts.blocked > 0;

function Requirement({ requirement }: { requirement: CoveredRequirement }) {
  const { id, key, name, priority, cases, counts } = requirement;
  const row = usePageRow(`requirements-at-risk:${id}`);
  return (
    <tr>
      <td>
        <Link to={`/requirements/${id}/view`} className={pageStyles.tileLink} {...row}>
          <Box component="span" sx={{ mr: 2, color: 'var(--t3)', fontWeight: 400 }}>
            {key}
          </Box>
          {name}
        </Link>
      </td>
      <td>{priority && <PriorityMark title={priority.title} />}</td>
      <td>
        {cases === 0 ? (
          <Box
            component="span"
            sx={{ px: 2, py: 0.5, border: '1px dashed var(--control)', borderRadius: '6px', fontSize: 12 }}
          >
            No case
          </Box>
        ) : (
          <Stack direction="row" sx={{ alignItems: 'center', gap: 2, width: 220 }}>
            <Box component="span" sx={{ flex: '0 0 120px' }}>
              <ResultBar counts={counts} />
            </Box>
            <span className="num">
              {formatNumber(counts.passed + counts.flaky)} of {formatNumber(cases)} passed
            </span>
          </Stack>
        )}
      </td>
    </tr>
  );
}
