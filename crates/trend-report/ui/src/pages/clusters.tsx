export function Clusters({ id }: { id: string }) {
  return <h1>Clusters {id}</h1>;
}
