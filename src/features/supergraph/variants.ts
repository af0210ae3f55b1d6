export { sdlFiles } from './sdl.ts';
export { serve } from './served-graph.ts';
