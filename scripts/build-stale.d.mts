/** The folder of this repository. */
export const root: string;
/** Tells one build of the server from another, by its sources. */
export function serverFingerprint(): string;
/** The name of the builds with the code of the product in a folder. */
export function buildName(folder: string): string;
/** Notes that this process uses the builds with the code of the product in a folder, which are kept until it ends. */
export function useBuilds(folder: string): void;
/** Removes the builds of products whose folder has no code any more, or is gone, unless a process uses them. */
export function removeUnusedBuilds(): void;
/** The built server, which `npm start` runs: of a product with code, the one that contains it. */
export function serverProgram(folder?: string): string;
