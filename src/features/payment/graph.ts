import './schema.ts';
import './resolution-schema.ts';
