export { Cell } from '../text/Cell';
export { Input } from '../text/Input';
