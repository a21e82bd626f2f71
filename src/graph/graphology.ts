// The only file that imports the package.
export { MultiDirectedGraph } from 'graphology';
