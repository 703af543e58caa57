export { Cell } from '../text/Cell';
export { Input } from '../inverse/Input';
