import './schema.ts';
import './related-schema.ts';
import './requested-schema.ts';
