import fc from 'fast-check';

// Property tests run the same cases for each mutant.
fc.configureGlobal({ seed: 20_260_101 });
