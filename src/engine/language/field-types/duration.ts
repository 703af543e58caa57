import { fieldName } from '../names';
import { typeKeys } from './type-keys';

export const duration = typeKeys({
  common: ['unique'],
  required: ['startField', 'endField'],
  keys: {
    startField: fieldName({
      type: 'time',
      label: 'From',
      options: 'referenced',
      onRemoval: 'report',
      help: 'duration: the time field that it begins at. Between two times of one day (`dateField`) it is as long as the time that passes in the zone of who enters them, also on a day on which the clocks change; it keeps its length while they stay.',
    }),
    endField: fieldName({
      type: 'time',
      label: 'To',
      options: 'referenced',
      onRemoval: 'report',
      help: 'duration: the time field that it ends at.',
    }),
  },
});
