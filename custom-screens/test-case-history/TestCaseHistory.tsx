import { useParams } from 'react-router-dom';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { NoAccess } from '../../src/app/states/NoAccess';
import { HistoryScreen } from '../../src/app/record/history/HistoryScreen';

/** The history of a test case at its own address. */
export default function TestCaseHistory() {
  const { id = '' } = useParams();
  const definition = useDefinitions().registry.get('test-cases');
  return definition ? <HistoryScreen key={id} definition={definition} id={id} /> : <NoAccess />;
}
