import { Script } from 'node:vm';
import { lazy } from './lazy.ts';

/**
 * Lets V8 return the memory of an idle process to the system: 20 MB after the start, and half of 350 MB after a burst. V8 does so while
 * little is allocated in each of its heaps, compared with the speed at which it collects there. That speed is not known for a C++
 * heap without objects, so V8 waits for ever. A script is an object of that heap.
 */
export const returnIdleMemory = lazy(() => new Script(''));
